package corpus

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// visitArchive calls visit for each eligible file of a gzipped tarball, in its
// order, with the path below prefix. The text is valid until visit returns.
// Only regular files count; one with a path that leads out of the archive, or
// that came before, fails the whole archive.
func visitArchive(ctx context.Context, file, prefix string, visit func(lang executor.Language, path string, text []byte) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := visitTar(ctx, f, prefix, visit); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

func visitTar(ctx context.Context, r io.Reader, prefix string, visit func(executor.Language, string, []byte) error) error {
	unzipped, err := gzip.NewReader(bufio.NewReaderSize(r, 1<<16))
	if err != nil {
		return err
	}
	in := tar.NewReader(unzipped)
	seen := map[string]bool{}
	buf := make([]byte, maxSize)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		// The first folder is usually "package", but any name is allowed.
		_, below, ok := strings.Cut(h.Name, "/")
		if !ok || !validPath(h.Name) {
			return fmt.Errorf("unsafe path %q in archive", h.Name)
		}
		lang := languageOf(below)
		if lang == "" {
			continue
		}
		if seen[below] {
			return fmt.Errorf("path %q twice in archive", h.Name)
		}
		seen[below] = true
		if checkSize(h.Size) != eligible {
			continue
		}
		text := buf[:h.Size]
		if _, err := io.ReadFull(in, text); err != nil {
			return err
		}
		if check(lang, text) != eligible {
			continue
		}
		if err := visit(lang, prefix+"/"+below, text); err != nil {
			return err
		}
	}
}

// checkSum compares a file's SHA-256 with what it must be. A file that differs
// is ErrCorrupt.
func checkSum(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%s: %w: expected SHA-256 %s, got %s", filepath.Base(file), ErrCorrupt, want, got)
	}
	return nil
}
