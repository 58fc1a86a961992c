package gitignore

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A repo is a folder in which git is asked. No setting of the user or of the
// machine reaches it.
type repo struct{ dir string }

func newRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := repo{t.TempDir()}
	r.git(t, "", "init", "--quiet", "--template=")
	return r
}

func (r repo) git(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(r.dir)}
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	// check-ignore ends with 1 when no path is excluded.
	if err != nil && (args[0] != "check-ignore" || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// write replaces all .gitignore files.
func (r repo) write(t *testing.T, files map[string]string) {
	t.Helper()
	err := filepath.WalkDir(r.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".gitignore" {
			err = os.Remove(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, text := range files {
		if err := os.MkdirAll(filepath.Join(r.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.dir, dir, ".gitignore"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// mkdir makes those of the paths that are folders.
func (r repo) mkdir(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		if !strings.HasSuffix(name, "/") {
			continue
		}
		if err := os.MkdirAll(filepath.Join(r.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// ignored asks git which paths it excludes. Folders have to exist; git gets
// them without the slash, behind which it would see an empty name.
func (r repo) ignored(t *testing.T, names []string) []string {
	t.Helper()
	var stdin strings.Builder
	for _, name := range names {
		stdin.WriteString(strings.TrimSuffix(name, "/") + "\x00")
	}
	out := r.git(t, stdin.String(), "check-ignore", "--no-index", "--stdin", "-z")
	var ignored []string
	for _, name := range names {
		line := strings.TrimSuffix(name, "/") + "\x00"
		if strings.HasPrefix(out, line) {
			ignored, out = append(ignored, name), out[len(line):]
		}
	}
	if out != "" {
		t.Fatalf("git answers in another order: %q", out)
	}
	return ignored
}

func TestTableAgainstGit(t *testing.T) {
	for _, tt := range table {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.write(t, tt.files)
			names := append(append([]string{}, tt.ignored...), tt.kept...)
			r.mkdir(t, names)
			if diff := cmp.Diff(tt.ignored, r.ignored(t, names)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// parts make patterns and names that often meet.
var parts = []string{
	"a", "b", "ab", "abc", "*", "**", "***", "?", "/", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[a", "]", "[]a]",
	"[[:alpha:]]", "[[:x:]]", "[a-", "-", "\\", "\\a", "\\*", ".", ".js", "*.js", "é", " ", "!", "#",
}

func randomGitignore(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString([]string{"", "", "!", "/"}[r.IntN(4)])
		for range 1 + r.IntN(5) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		b.WriteString([]string{"", "", "/", " ", "\r"}[r.IntN(5)] + "\n")
	}
	return b.String()
}

// Small trees with random patterns: the answers are git's.
func TestAgainstGit(t *testing.T) {
	r := newRepo(t)
	var paths []string
	for _, dir := range []string{"", "a/", "ab/", "a/b/", "a/b/a/", "b.js/", "abc/a.js/"} {
		if dir != "" {
			paths = append(paths, dir)
		}
		for _, name := range []string{"a", "b", "ab", "abc", "a.js", "b.js", ".js", "é.js", "*", "a]", "[a", "-", "c"} {
			if !slices.Contains([]string{"a", "ab", "a/b", "a/b/a", "b.js", "abc", "abc/a.js"}, dir+name) {
				paths = append(paths, dir+name)
			}
		}
	}
	r.mkdir(t, paths)
	const trials = 60
	excluded := 0
	for seed := range trials {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		files := map[string]string{".": randomGitignore(random)}
		for _, dir := range []string{"a", "a/b"} {
			if random.IntN(3) == 0 {
				files[dir] = randomGitignore(random)
			}
		}
		r.write(t, files)
		want := r.ignored(t, paths)
		tree := newTree(files)
		var got []string
		for _, name := range paths {
			if tree.excluded(name) {
				got = append(got, name)
			}
		}
		excluded += len(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d, %s: %s", seed, fmt.Sprintf("%q", files), diff)
		}
	}
	t.Logf("%d of %d paths excluded", excluded, trials*len(paths))
}
