package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
	"golang.org/x/sync/errgroup"
)

// scanJobs is how many tarballs are read at a time; each takes one core.
const scanJobs = 4

// selectTier reads the tier's tarballs and makes the selection.
func selectTier(ctx context.Context, cacheDir string, t tier) ([]Entry, error) {
	found := make([][]candidate, len(t.packages))
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(scanJobs)
	for i, p := range t.packages {
		jobs.Go(func() error {
			return visitArchive(ctx, tarballPath(cacheDir, p), p.prefix(), func(lang executor.Language, path string, text []byte) error {
				found[i] = append(found[i], newCandidate(lang, path, text))
				return nil
			})
		})
	}
	if err := jobs.Wait(); err != nil {
		return nil, fmt.Errorf("corpus %s: %w", t.name, err)
	}
	entries := selectFiles(slices.Concat(found...), t.limits)
	if got := digestOf(entries); got != t.digest {
		return nil, fmt.Errorf("corpus %s: %w selection: expected digest %s, got %s", t.name, ErrCorrupt, t.digest, got)
	}
	return entries, nil
}

// buildPack writes a tier's pack and then its index. The tarballs are read a
// second time, so that memory holds names and sums but never all contents.
func buildPack(ctx context.Context, cacheDir string, t tier) error {
	entries, err := selectTier(ctx, cacheDir, t)
	if err != nil {
		return err
	}
	offsets := make(map[string]int64, len(entries))
	for _, e := range entries {
		offsets[e.Path] = e.offset
	}
	err = writeWhole(packPath(cacheDir, t), func(f *os.File) error {
		jobs, ctx := errgroup.WithContext(ctx)
		jobs.SetLimit(scanJobs)
		for _, p := range t.packages {
			jobs.Go(func() error {
				return visitArchive(ctx, tarballPath(cacheDir, p), p.prefix(), func(_ executor.Language, path string, text []byte) error {
					offset, selected := offsets[path]
					if !selected {
						return nil
					}
					_, err := f.WriteAt(text, offset)
					return err
				})
			})
		}
		return jobs.Wait()
	})
	if err == nil {
		err = writeWhole(indexPath(cacheDir, t), func(f *os.File) error { return writeIndex(f, entries) })
	}
	if err != nil {
		return fmt.Errorf("corpus %s: %w", t.name, err)
	}
	return nil
}

// writeWhole writes a file that appears under its name only when complete.
func writeWhole(path string, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
