package harness

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes path whole or not at all: write fills a new file beside it,
// which takes path's place once all of it is on disk. An earlier file at path
// stays as it was if anything fails. If path is a symbolic link, all this is
// about the file that it leads to, and the link stays.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	if path, err = FollowLinks(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // closed already on some paths
			_ = os.Remove(f.Name()) // the first error is the one to tell
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// maxLinks is how many links the kernel follows, too.
const maxLinks = 40

// FollowLinks is where path leads if it is a symbolic link, to another link
// perhaps, and otherwise path. Nothing need be there.
func FollowLinks(path string) (string, error) {
	start := path
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing: whoever opens it will see
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(path)
			to = dir + to // not cleaned: ".." leads up from where a folder's link leads
		}
		path = to
		dir, name := filepath.Split(to)
		if real, err := filepath.EvalSymlinks(cmp.Or(dir, ".")); err == nil {
			path = filepath.Join(real, name)
		}
	}
	return "", fmt.Errorf("%s: more than %d symbolic links, one after the other", start, maxLinks)
}
