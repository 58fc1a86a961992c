package harness

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes path whole or not at all: write fills a new file beside it,
// which takes path's place once all of it is on disk. An earlier file at path
// stays as it was if anything fails.
func WriteFile(path string, write func(io.Writer) error) (err error) {
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
