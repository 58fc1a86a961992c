package gitignore

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The expectations come from git: TestTableAgainstGit asks it.
var table = []struct {
	name    string
	files   map[string]string // .gitignore texts by folder
	ignored []string          // a folder ends in "/"
	kept    []string
}{
	{
		"a name matches at any depth",
		map[string]string{".": "a.js\n*.min.js\n"},
		[]string{"a.js", "x/a.js", "x/y/b.min.js"},
		[]string{"aa.js", "b.js", "x/min.js"},
	},
	{
		"a slash anchors",
		map[string]string{".": "/a.js\nx/b.js\n"},
		[]string{"a.js", "x/b.js"},
		[]string{"x/a.js", "y/x/b.js", "b.js"},
	},
	{
		"folders only",
		map[string]string{".": "dist/\n/x/out/\n"},
		[]string{"dist/", "x/dist/a.js", "x/out/b.js"},
		[]string{"y/dist", "y/x/out/c.js", "out/c.js"},
	},
	{
		"two stars",
		map[string]string{".": "**/gen/*.js\nlib/**\na/**/z.js\nb**c.js\np/q**/r.js\n"},
		[]string{"gen/a.js", "x/y/gen/a.js", "lib/a.js", "lib/x/y.js", "a/z.js", "a/b/c/z.js", "bxc.js", "p/qr.js", "p/q1/r.js", "p/q1/2/r.js"},
		[]string{"gen/x/a.js", "z.js", "b/x/c.js", "x/lib/a.js", "p/r.js"},
	},
	{
		"the last match counts",
		map[string]string{".": "*.js\n!keep.js\n/x/keep.js\n"},
		[]string{"a.js", "x/keep.js"},
		[]string{"keep.js", "y/keep.js"},
	},
	{
		"nothing below an excluded folder comes back",
		map[string]string{".": "/out/\n!/out/keep.js\n/lib/*\n!/lib/keep.js\n"},
		[]string{"out/keep.js", "lib/a.js"},
		[]string{"lib/keep.js"},
	},
	{
		"the nearest file counts",
		map[string]string{".": "*.js\n", "x": "!*.js\n/b.js\n", "x/y": "c.js\n"},
		[]string{"a.js", "x/b.js", "x/y/c.js"},
		[]string{"x/a.js", "x/y/b.js"},
	},
	{
		"comments, blanks, ends of lines",
		map[string]string{".": "\ufeff# no\n\n   \na.js  \n\\#b.js\r\n\\!c.js\nd\\ \ne.js"},
		[]string{"a.js", "#b.js", "!c.js", "d /", "e.js"},
		[]string{"# no", "b.js", "c.js", "d/"},
	},
	{
		"classes",
		map[string]string{".": "[a-c].js\n[!0-9]x.js\n[]-]y.js\n[[:upper:]]z.js\nq[\\]].js\n[[:nope:]].js\n[u.js\nv[\n"},
		[]string{"b.js", "ax.js", "]y.js", "-y.js", "Az.js", "q].js"},
		[]string{"d.js", "1x.js", "az.js", "n.js", "[u.js", "v[", "uu.js"},
	},
	{
		"marks of other globs are plain",
		map[string]string{".": "{a,b}.js\n+(c).js\n?.ts\n"},
		[]string{"{a,b}.js", "+(c).js", "x.ts"},
		[]string{"a.js", "c.js", "é.ts"}, // "?" is one byte
	},
	{
		"broken",
		map[string]string{".": "a\\\n!\n/\n//\n**/\n"},
		[]string{"x/"},
		[]string{"a", "b.js"},
	},
}

func newTree(files map[string]string) *Tree {
	var t Tree
	for dir, text := range files {
		t.Add(dir, []byte(text))
	}
	return &t
}

// excluded asks for each folder on the way to a path, as a walk does.
func (t *Tree) excluded(name string) bool {
	name, isDir := strings.CutSuffix(name, "/")
	for i := range name {
		if name[i] == '/' && t.Ignored(name[:i], true) {
			return true
		}
	}
	return t.Ignored(name, isDir)
}

func TestIgnored(t *testing.T) {
	for _, tt := range table {
		t.Run(tt.name, func(t *testing.T) {
			tree := newTree(tt.files)
			var got []string
			for _, name := range append(append([]string{}, tt.ignored...), tt.kept...) {
				if tree.excluded(name) {
					got = append(got, name)
				}
			}
			if diff := cmp.Diff(tt.ignored, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestZeroTree(t *testing.T) {
	var tree Tree
	if tree.Ignored("a/b.js", false) {
		t.Error("an empty tree excludes")
	}
}

// Hostile globs take no exponential time.
func TestHostileGlobs(t *testing.T) {
	name := strings.Repeat("a/", 200) + strings.Repeat("a", 200)
	start := time.Now()
	for _, glob := range []string{
		strings.Repeat("*a", 100) + "b",
		strings.Repeat("**/a*", 100) + "b",
		strings.Repeat("**/*a*/", 100) + "b",
		strings.Repeat("[a-z]*", 100) + "b",
	} {
		tree := newTree(map[string]string{".": glob})
		if tree.Ignored(name, false) || tree.Ignored(path.Base(name), false) {
			t.Errorf("%.20s matches", glob)
		}
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzIgnored(f *testing.F) {
	for _, tt := range table {
		for dir, text := range tt.files {
			for _, name := range tt.ignored {
				f.Add(dir, text, name)
			}
		}
	}
	f.Fuzz(func(t *testing.T, dir, text, name string) {
		if path.Clean(dir) != dir || path.Clean(name) != name || path.IsAbs(name) {
			return
		}
		tree := newTree(map[string]string{dir: text})
		first := tree.Ignored(name, false)
		if tree.Ignored(name, false) != first {
			t.Error("two answers")
		}
	})
}

func BenchmarkIgnored(b *testing.B) {
	tree := newTree(map[string]string{".": strings.Repeat("*.log\nbuild/\n/dist\n**/generated/*.ts\ncoverage\n", 10)})
	b.ReportAllocs()
	for b.Loop() {
		tree.Ignored("packages/core/src/module/file.component.ts", false)
	}
}
