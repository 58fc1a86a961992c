package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A fetched tier is three things in the cache folder: tarballs/*.tgz, TIER.pack,
// which is the selected files' contents one after another, and TIER.index,
// which lists them in the same order.

func tarballPath(cacheDir string, p npmPackage) string {
	return filepath.Join(cacheDir, "tarballs", p.tarball)
}

func packPath(cacheDir string, t tier) string { return filepath.Join(cacheDir, t.name+".pack") }

func indexPath(cacheDir string, t tier) string { return filepath.Join(cacheDir, t.name+".index") }

// openTier opens a pack whose index comes to the tier's digest.
func openTier(cacheDir string, t tier) (*Corpus, error) {
	index, entries, err := openIndex(indexPath(cacheDir, t))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFetched(t.name, "no "+t.name+".index in "+cacheDir)
	}
	if err != nil {
		return nil, notFetched(t.name, err.Error())
	}
	f, err := os.Open(packPath(cacheDir, t))
	if err != nil {
		_ = index.Close() // was only read
		return nil, notFetched(t.name, err.Error())
	}
	c := &Corpus{name: t.name, list: newListing(entries, index), source: &pack{f, index, t.name}}
	info, err := f.Stat()
	switch {
	case err != nil:
	case c.Digest() != t.digest:
		err = notFetched(t.name, fmt.Sprintf("the index in the cache has digest %s, expected %s", c.Digest(), t.digest))
	case info.Size() != c.Bytes():
		err = notFetched(t.name, fmt.Sprintf("the pack in the cache has %d bytes, expected %d", info.Size(), c.Bytes()))
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// openIndex reads an index and leaves it open.
func openIndex(path string) (*os.File, []Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	entries, err := readIndex(f)
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, entries, nil
}

// A pack is a tier's contents in one open file, with its open index.
type pack struct {
	file, index *os.File
	tier        string
}

func (p *pack) read(e *Entry, buf []byte) error {
	_, err := p.file.ReadAt(buf, e.offset)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the pack ends early; %s", ErrCorrupt, p.remedy())
	}
	return err
}

func (p *pack) remedy() string { return fetchCommand(p.tier) }

func (p *pack) Close() error {
	err := errors.Join(p.file.Close(), p.index.Close())
	if errors.Is(err, os.ErrClosed) {
		return nil // before
	}
	return err
}
