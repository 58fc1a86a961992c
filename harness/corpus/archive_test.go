package corpus

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/google/go-cmp/cmp"
)

// A member is one thing in an archive; without a type it is a regular file.
type member struct {
	tar.Header
	text string
}

func file(name, text string) member { return member{tar.Header{Name: name}, text} }

func other(typ byte, name, target string) member {
	return member{tar.Header{Typeflag: typ, Name: name, Linkname: target}, ""}
}

// tarball makes a gzipped archive.
func tarball(t *testing.T, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	zip := gzip.NewWriter(&buf)
	out := tar.NewWriter(zip)
	for _, m := range members {
		m.Mode, m.Size = 0o644, int64(len(m.text))
		if m.Typeflag == 0 {
			m.Typeflag = tar.TypeReg
		}
		if err := out.WriteHeader(&m.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// visited lists what visitTar shows of an archive, as path: text.
func visited(archive []byte) (map[string]string, error) {
	got := map[string]string{}
	err := visitTar(context.Background(), bytes.NewReader(archive), "x-1", func(_ executor.Language, path string, text []byte) error {
		got[path] = string(text)
		return nil
	})
	return got, err
}

func TestVisitTar(t *testing.T) {
	long := strings.Repeat("long/", 60) + "é.ts" // needs a pax header
	archive := tarball(t,
		other(tar.TypeDir, "package/", ""),
		file("package/a.js", "a"),
		file("other/src/b.ts", "b"),
		file("@scope/package/c.ts", "c"),
		file("package/"+long, "long"),
		file("package/README.md", "text"),
		file("package/empty.js", ""),
		file("package/large.ts", strings.Repeat("x\n", maxSize)),
		file("package/minified.js", strings.Repeat("x", 200)),
		file("package/.js", "x"),
		other(tar.TypeSymlink, "package/link.js", "/etc/passwd"),
		other(tar.TypeLink, "package/hard.js", "package/a.js"),
		other(tar.TypeFifo, "package/pipe.js", ""),
	)
	got, err := visited(archive)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"x-1/a.js": "a", "x-1/src/b.ts": "b", "x-1/package/c.ts": "c", "x-1/" + long: "long"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVisitTarRefuses(t *testing.T) {
	good := tarball(t, file("package/a.js", strings.Repeat("var a\n", 1000)))
	for name, archive := range map[string][]byte{
		"climbs":            tarball(t, file("package/../../a.js", "x")),
		"climbs, any file":  tarball(t, file("package/../../a.txt", "x")),
		"absolute":          tarball(t, file("/package/a.js", "x")),
		"no folder":         tarball(t, file("a.js", "x")),
		"not clean":         tarball(t, file("package/./a.js", "x")),
		"control character": tarball(t, file("package/a\n.js", "x")),
		"invalid UTF-8":     tarball(t, file("package/\xff.js", "x")),
		"twice":             tarball(t, file("package/a.js", "x"), file("package/a.js", "y")),
		"twice, two roots":  tarball(t, file("package/a.js", "x"), file("other/a.js", "y")),
		"cut":               good[:len(good)/2],
		"not an archive":    []byte("<html>"),
		"empty":             nil,
	} {
		if got, err := visited(archive); err == nil {
			t.Errorf("%s: no error, got %v", name, got)
		}
	}
}

func TestVisitTarStops(t *testing.T) {
	archive := tarball(t, file("package/a.js", "x"), file("package/b.js", "x"))
	ctx, cancel := context.WithCancel(context.Background())
	visits := 0
	err := visitTar(ctx, bytes.NewReader(archive), "x-1", func(executor.Language, string, []byte) error {
		visits++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || visits != 1 {
		t.Errorf("%d visits, error %v", visits, err)
	}
}

func TestCheckSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tgz")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := checkSum(path, hexSum("text")); err != nil {
		t.Error(err)
	}
	err := checkSum(path, hexSum("other"))
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"a.tgz", hexSum("text"), hexSum("other")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %s", err, part)
		}
	}
}
