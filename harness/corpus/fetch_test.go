package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFetch(t *testing.T) {
	fake, store := fakeTier(t)
	cache := filepath.Join(t.TempDir(), "new", "cache")
	var steps []Progress
	if err := fetch(t.Context(), cache, fake, func(p Progress) { steps = append(steps, p) }); err != nil {
		t.Fatal(err)
	}
	if len(steps) != 3 || steps[2] != (Progress{3, 3, "pack"}) {
		t.Errorf("progress: %v", steps)
	}
	c, err := openTier(cache, fake)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if diff := cmp.Diff(fakeFiles, contents(t, c)); diff != "" {
		t.Error(diff)
	}
	if c.Name() != "fake" || c.Count(js) != 2 || c.Count(ts) != 2 || c.Bytes() != 24 || c.Digest() != fake.digest {
		t.Errorf("got %s, %d, %d, %d, %s", c.Name(), c.Count(js), c.Count(ts), c.Bytes(), c.Digest())
	}
	if got, err := verify(t.Context(), cache, fake); err != nil || got != fake.digest {
		t.Errorf("verify: %s, %v", got, err)
	}
	wantFiles(t, cache, "fake.index", "fake.pack", "tarballs/one-pkg-1.0.0.tgz", "tarballs/two-2.0.0.tgz")

	// Nothing is fetched again.
	if err := fetch(t.Context(), cache, fake, nil); err != nil {
		t.Fatal(err)
	}
	if n := calls(t, store); n != 2 {
		t.Errorf("npm was called %d times, want 2", n)
	}
}

// wantFiles checks that a folder holds these files and nothing else.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		if entries, _ := os.ReadDir(p); !d.IsDir() || (len(entries) == 0 && p != dir) {
			got = append(got, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFetchRepairs(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, cache string){
		"tarball changed": func(t *testing.T, cache string) { write(t, cache+"/tarballs/two-2.0.0.tgz", "x") },
		"tarball missing": func(t *testing.T, cache string) { remove(t, cache+"/tarballs/two-2.0.0.tgz") },
		"pack changed":    func(t *testing.T, cache string) { write(t, cache+"/fake.pack", strings.Repeat("x", 24)) },
		"pack cut":        func(t *testing.T, cache string) { write(t, cache+"/fake.pack", "x") },
		"pack missing":    func(t *testing.T, cache string) { remove(t, cache+"/fake.pack") },
		"index cut":       func(t *testing.T, cache string) { write(t, cache+"/fake.index", "js\ta") },
		"index missing":   func(t *testing.T, cache string) { remove(t, cache+"/fake.index") },
	} {
		t.Run(name, func(t *testing.T) {
			fake, store := fakeTier(t)
			cache := t.TempDir()
			if err := fetch(t.Context(), cache, fake, nil); err != nil {
				t.Fatal(err)
			}
			damage(t, cache)
			if _, err := verify(t.Context(), cache, fake); !errors.Is(err, ErrNotFetched) && !errors.Is(err, ErrCorrupt) {
				t.Errorf("verify of the damaged tier: %v", err)
			}
			if err := fetch(t.Context(), cache, fake, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := verify(t.Context(), cache, fake); err != nil {
				t.Errorf("verify of the repaired tier: %v", err)
			}
			wantCalls := 2
			if strings.HasPrefix(name, "tarball") {
				wantCalls = 3
			}
			if n := calls(t, store); n != wantCalls {
				t.Errorf("npm was called %d times, want %d", n, wantCalls)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestFetchWrongSum(t *testing.T) {
	fake, store := fakeTier(t)
	write(t, filepath.Join(store, "two-2.0.0.tgz"), "other bytes")
	cache := t.TempDir()
	err := fetch(t.Context(), cache, fake, nil)
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"two-2.0.0.tgz", fake.packages[1].sha256, hexSum("other bytes")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %s", err, part)
		}
	}
	if _, err := os.Stat(tarballPath(cache, fake.packages[1])); !os.IsNotExist(err) {
		t.Errorf("the bad file is still there: %v", err)
	}
	if _, err := openTier(cache, fake); !errors.Is(err, ErrNotFetched) {
		t.Errorf("the tier opens: %v", err)
	}
}

// The tarballs are right but the program would select other files.
func TestFetchWrongDigest(t *testing.T) {
	fake, _ := fakeTier(t)
	fake.digest = hexSum("")
	cache := t.TempDir()
	if err := fetch(t.Context(), cache, fake, nil); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), fake.digest) {
		t.Errorf("got %v", err)
	}
	wantFiles(t, cache, "tarballs/one-pkg-1.0.0.tgz", "tarballs/two-2.0.0.tgz")
}

func TestFetchUnsafeArchive(t *testing.T) {
	fake, store := fakeTier(t)
	archive := string(tarball(t, file("package/../../../evil.js", "x")))
	fake.packages[1].sha256 = hexSum(archive)
	write(t, filepath.Join(store, "two-2.0.0.tgz"), archive)
	cache := t.TempDir()
	if err := fetch(t.Context(), cache, fake, nil); err == nil || !strings.Contains(err.Error(), "unsafe path") {
		t.Errorf("got %v", err)
	}
	wantFiles(t, cache, "tarballs/one-pkg-1.0.0.tgz", "tarballs/two-2.0.0.tgz")
}

func TestFetchNpmFails(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{
			"network refused",
			`echo '{"error": {"code": "ECONNREFUSED", "summary": "request failed, reason: connect ECONNREFUSED"}}'; exit 1`,
			"npm pack two@2.0.0: exit status 1: ECONNREFUSED request failed",
		},
		{"no JSON", `echo "no such option" >&2; exit 2`, "exit status 2: no such option"},
		{"nothing said", `exit 3`, "npm pack two@2.0.0: exit status 3"},
		{"no file", `exit 0`, "made no file two-2.0.0.tgz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fake, _ := fakeTier(t)
			fake.packages = fake.packages[1:]
			npm(t, tt.script)
			cache := t.TempDir()
			err := fetch(t.Context(), cache, fake, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
			wantFiles(t, cache, "tarballs")
		})
	}
}

func TestFetchWithoutNpm(t *testing.T) {
	fake, _ := fakeTier(t)
	t.Setenv("PATH", t.TempDir())
	err := fetch(t.Context(), t.TempDir(), fake, nil)
	if err == nil || !strings.Contains(err.Error(), "npm is not installed") {
		t.Errorf("got %v", err)
	}
}

func TestFetchCancelled(t *testing.T) {
	fake, _ := fakeTier(t)
	fake.packages = fake.packages[1:]
	ctx, cancel := context.WithCancel(t.Context())
	pipe := filepath.Join(t.TempDir(), "started")
	npm(t, "echo > '"+pipe+"'; exec sleep 600")
	mkfifo(t, pipe)
	go func() {
		os.ReadFile(pipe) // blocks until npm runs
		cancel()
	}()
	cache := t.TempDir()
	if err := fetch(ctx, cache, fake, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantFiles(t, cache, "tarballs")
}
