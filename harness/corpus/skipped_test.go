package corpus

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openPaths are the sorted paths of a folder's corpus, and its problems.
func openPaths(t *testing.T, dir string, options ...Option) (files, problems []string) {
	t.Helper()
	c, err := Open("", dir, options...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	files = listedPaths(t, c)
	slices.Sort(files)
	for _, p := range c.Problems() {
		problems = append(problems, p.String())
	}
	return files, problems
}

func TestGitignore(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/.gitignore", "/out/\n*.gen.ts\n!keep.gen.ts\n/link\n")
	write(t, dir+"/out/a.js", "a")
	write(t, dir+"/src/out/b.js", "b")
	write(t, dir+"/src/c.gen.ts", "c")
	write(t, dir+"/src/keep.gen.ts", "d")
	write(t, dir+"/src/sub/.gitignore", "*\n!*.ts\n")
	write(t, dir+"/src/sub/e.js", "e")
	write(t, dir+"/src/sub/f.ts", "f")
	write(t, dir+"/src/sub/deep/g.ts", "g") // "*" excludes its folder
	symlink(t, "nowhere.js", dir+"/src/dangling.gen.ts")

	files, problems := openPaths(t, dir)
	if diff := cmp.Diff([]string{"src/keep.gen.ts", "src/out/b.js", "src/sub/f.ts"}, files); diff != "" {
		t.Error(diff)
	}
	if problems != nil { // what is excluded is not tried
		t.Errorf("problems %q", problems)
	}
	files, problems = openPaths(t, dir, Gitignored)
	if len(files) != 7 || len(problems) != 1 {
		t.Errorf("with excluded files: %q, problems %q", files, problems)
	}
}

// A .gitignore that cannot be obeyed is named, and the rest is used. One outside
// of the folder has no say.
func TestGitignoreProblems(t *testing.T) {
	parent := t.TempDir()
	write(t, parent+"/.gitignore", "*\n")
	dir := parent + "/dir"
	write(t, dir+"/a.js", "a")
	symlink(t, "../.gitignore", dir+"/.gitignore")
	write(t, dir+"/big/b.js", "b")
	write(t, dir+"/big/.gitignore", strings.Repeat("*\n", maxSize))
	write(t, dir+"/folder/.gitignore/c.js", "c")
	mkfifo(t, dir+"/.gitignore.js")

	files, problems := openPaths(t, dir)
	if diff := cmp.Diff([]string{"a.js", "big/b.js", "folder/.gitignore/c.js"}, files); diff != "" {
		t.Error(diff)
	}
	want := []string{
		".gitignore: not a regular file, so not obeyed",
		".gitignore.js: not a regular file",
		"big/.gitignore: larger than 204800 bytes, so not obeyed",
		"folder/.gitignore: not a regular file, so not obeyed",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
}

func TestGitignoreAll(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/.gitignore", "a.js\nb/\n")
	write(t, dir+"/a.js", "a")
	write(t, dir+"/b/b.js", "b")
	_, err := Open("", dir)
	if !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), "2 excluded by .gitignore") {
		t.Error(err)
	}
}

func TestSkippedFolders(t *testing.T) {
	for p, want := range map[string]bool{
		"node_modules": true, "a/node_modules": true, "a/Node_Modules": true, ".next": true, "x/.vuepress": true,
		".git": true, "sub/.git": true, "a/_vendor/bundle/ruby": true, ".bundle": true, ".gradle": true, "venv": true,
		"my_node_modules": false, "node_modules2": false, ".github": false, "ruby": false, "bundle/ruby": false,
		"vendor": false, ".": false,
	} {
		if got := isSkipped(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}
