package corpus

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/ddsabench/ddsabench/executor"
)

// A Corpus is a fixed, ordered list of files: JavaScript first, then
// TypeScript, each in path-hash order, which is by the SHA-256 of the path. All
// methods but Close may be called from many goroutines at once.
type Corpus struct {
	name     string
	list     listing
	problems []Problem
	source   source
}

// An Entry describes one file.
type Entry struct {
	Language executor.Language
	// Path is relative and slash-separated. In a tier it starts with the name
	// of the package's tarball.
	Path string
	// Size is the content's length in bytes, 1 to 204,800.
	Size int64
	// SHA256 is the content's checksum.
	SHA256 [sha256.Size]byte

	offset int64 // in the pack
}

// A source gives access to the content of entries.
type source interface {
	// read fills buf, which is as long as the file.
	read(e *Entry, buf []byte) error
	// remedy says what to do when content is not what was listed.
	remedy() string
	Close() error
}

// An Option changes what a folder's files are. Tiers are always the same.
type Option uint8

// Gitignored takes in the files that .gitignore files exclude.
const Gitignored Option = 1

// Open opens a tier from the cache, or any folder or file when name is not a tier's
// ("./small" is a folder). A folder's files are read once to filter and to
// checksum them; those are left out that git would ignore because of .gitignore
// files in the folder or below it, in a git repository or not, and what is in
// node_modules and the like. Errors: ErrNotFetched, ErrNotFolder, ErrEmpty,
// fs.ErrNotExist.
func Open(cacheDir, name string, options ...Option) (*Corpus, error) {
	if t, err := tierByName(name); err == nil {
		return openTier(cacheDir, t)
	}
	return openFolder(name, options)
}

// Name is the tier's name or the folder as it was given; a view adds its own.
func (c *Corpus) Name() string { return c.name }

// Len is the number of files.
func (c *Corpus) Len() int { return c.list.length }

// Entry describes file i, 0 <= i < Len. It reads the index, and fails if that
// can no longer be read or was changed.
func (c *Corpus) Entry(i int) (Entry, error) {
	e, err := c.list.entry(i)
	if err != nil {
		return e, fmt.Errorf("corpus %s: file %d: %w; %s", c.name, i, err, c.source.remedy())
	}
	return e, nil
}

// Count is the number of files of one language.
func (c *Corpus) Count(lang executor.Language) int { return c.list.counts[lang] }

// Bytes is the size of all files together.
func (c *Corpus) Bytes() int64 { return c.list.bytes }

// Digest is the SHA-256 (hex) of the list of files with their checksums, sorted
// by language and path. Equal digests mean equal files.
func (c *Corpus) Digest() string { return c.list.digest }

// Read returns the content of file i, in buf if it is large enough, and checks
// it: content that changed since it was listed is ErrCorrupt.
func (c *Corpus) Read(i int, buf []byte) ([]byte, error) {
	e, err := c.Entry(i)
	if err != nil {
		return nil, err
	}
	if int64(cap(buf)) < e.Size {
		buf = make([]byte, e.Size)
	}
	buf = buf[:e.Size]
	err = c.source.read(&e, buf)
	if err == nil && sha256.Sum256(buf) != e.SHA256 {
		err = fmt.Errorf("%w: the bytes are not those listed; %s", ErrCorrupt, c.source.remedy())
	}
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %s: %w", c.name, e.Path, err)
	}
	return buf, nil
}

// checkContents reads every file.
func (c *Corpus) checkContents(ctx context.Context) error {
	var buf []byte
	for i := range c.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if buf, err = c.Read(i, buf); err != nil {
			return err
		}
	}
	return nil
}

// A Problem is a file or folder that could not be read when the corpus was
// opened. The rest is used.
type Problem struct {
	Path string
	Err  error
}

func (p Problem) String() string { return fmt.Sprintf("%s: %v", p.Path, p.Err) }

// Problems lists what was left out because it could not be read, by path. A
// tier has none.
func (c *Corpus) Problems() []Problem { return c.problems }

// Close closes the files behind c and all views of it; no Read may be running.
// Calling it twice is fine.
func (c *Corpus) Close() error { return c.source.Close() }
