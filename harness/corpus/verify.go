package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Verify checks a fetched tier from the ground up: the tarballs' sums, the
// selection made anew from them, its digest, the index and every byte of the
// pack. It returns the digest that it computed. Errors: ErrUnknownTier,
// ErrNotFetched, ErrCorrupt.
func Verify(ctx context.Context, cacheDir, name string) (digest string, err error) {
	t, err := tierByName(name)
	if err != nil {
		return "", err
	}
	return verify(ctx, cacheDir, t)
}

func verify(ctx context.Context, cacheDir string, t tier) (string, error) {
	c, err := openTier(cacheDir, t)
	if err != nil {
		return "", err
	}
	defer c.Close()
	for _, p := range t.packages {
		err := errors.Join(checkSum(tarballPath(cacheDir, p), p.sha256), ctx.Err())
		if errors.Is(err, fs.ErrNotExist) {
			return "", notFetched(t.name, p.tarball+" is missing")
		}
		if err != nil {
			return "", fmt.Errorf("corpus %s: %w", t.name, err)
		}
	}
	entries, err := selectTier(ctx, cacheDir, t)
	if err != nil {
		return "", err
	}
	same := len(entries) == c.Len()
	for i := 0; same && i < len(entries); i++ {
		listed, err := c.Entry(i)
		if err != nil {
			return "", err
		}
		same = entries[i] == listed
	}
	if !same {
		return "", fmt.Errorf("corpus %s: %w: the index does not list the selection in path-hash order; %s", t.name, ErrCorrupt, fetchCommand(t.name))
	}
	if err := c.checkContents(ctx); err != nil {
		return "", err
	}
	return digestOf(entries), nil
}
