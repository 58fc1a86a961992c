package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Progress says that a step of Fetch is done.
type Progress struct {
	// Done of Total steps are done.
	Done, Total int
	// Step is the package that is now in the cache, or the last step, "pack".
	Step string
}

// fetchJobs is how many packages are downloaded at a time.
const fetchJobs = 3

// Fetch brings a tier into the cache: it downloads the tarballs that are
// missing with npm, checks all of them against the sums built into the program
// and writes the pack. What is there and right is kept; a damaged file is
// fetched or built again. Two processes may fetch into one cache at once.
// progress may be nil; its calls do not overlap. Errors: ErrUnknownTier,
// ErrCorrupt for a download with a wrong sum.
func Fetch(ctx context.Context, cacheDir, name string, progress func(Progress)) error {
	t, err := tierByName(name)
	if err != nil {
		return err
	}
	return fetch(ctx, cacheDir, t, progress)
}

func fetch(ctx context.Context, cacheDir string, t tier, progress func(Progress)) error {
	if err := os.MkdirAll(filepath.Join(cacheDir, "tarballs"), 0o755); err != nil {
		return fmt.Errorf("corpus %s: %w", t.name, err)
	}
	var mu sync.Mutex
	done := 0
	step := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		done++
		if progress != nil {
			progress(Progress{Done: done, Total: len(t.packages) + 1, Step: what})
		}
	}
	jobs, jobsCtx := errgroup.WithContext(ctx)
	jobs.SetLimit(fetchJobs)
	for _, p := range t.packages {
		jobs.Go(func() error {
			if err := ensureTarball(jobsCtx, cacheDir, p); err != nil {
				return fmt.Errorf("corpus %s: %w", t.name, err)
			}
			step(p.spec)
			return nil
		})
	}
	if err := jobs.Wait(); err != nil {
		return err
	}
	err := checkPack(ctx, cacheDir, t)
	if errors.Is(err, ErrNotFetched) || errors.Is(err, ErrCorrupt) {
		err = buildPack(ctx, cacheDir, t)
	}
	if err != nil {
		return err
	}
	step("pack")
	return nil
}

// checkPack reports whether a tier's pack is there and right.
func checkPack(ctx context.Context, cacheDir string, t tier) error {
	c, err := openTier(cacheDir, t)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.checkContents(ctx)
}

// ensureTarball downloads a tarball unless the cache has it with the right sum.
func ensureTarball(ctx context.Context, cacheDir string, p npmPackage) error {
	file := tarballPath(cacheDir, p)
	err := checkSum(file, p.sha256)
	if err == nil || (!errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt)) {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), "npm-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // a download with a wrong sum goes too
	got, err := npmPack(ctx, dir, p)
	if err != nil {
		return err
	}
	if err := checkSum(got, p.sha256); err != nil {
		return err
	}
	return os.Rename(got, file)
}
