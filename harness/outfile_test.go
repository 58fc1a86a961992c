package harness_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/harness"
)

// A link is written through, also where nothing is at its end yet.
func TestWriteFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) error {
		return harness.WriteFile(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "real"), 0o755),
		os.Symlink("second", filepath.Join(dir, "first")),
		os.Symlink(filepath.Join("real", "out.md"), filepath.Join(dir, "second")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		// ".." is above real/deep, not above the link to it.
		os.Mkdir(filepath.Join(dir, "real", "deep"), 0o755),
		os.Symlink(filepath.Join("real", "deep"), filepath.Join(dir, "short")),
		os.Symlink("../up.md", filepath.Join(dir, "real", "deep", "up")),
		os.Symlink("short/../over.md", filepath.Join(dir, "over")),
	); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := put("first", text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "real", "out.md")); string(got) != text {
			t.Errorf("at the end is %q, %v", got, err)
		}
		if to, err := os.Readlink(filepath.Join(dir, "second")); to != filepath.Join("real", "out.md") {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
	for link, file := range map[string]string{"short/up": "up.md", "over": "over.md"} {
		if err := put(link, "x"); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "real", file)); err != nil {
			t.Errorf("through %s: %v", link, err)
		}
	}
	if err := put("loop", "x"); err == nil || !strings.Contains(err.Error(), "symbolic links") {
		t.Errorf("a loop: %v", err)
	}
}
