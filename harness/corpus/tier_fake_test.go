package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// fakePackages hold three JavaScript and three TypeScript files, of which the
// tier takes two each. In hash order two's same.js comes before one's a.js,
// which is therefore the duplicate.
var fakePackages = map[string][]member{
	"@one/pkg@1.0.0": {
		file("package/a.js", "var a\n"),
		file("package/b.js", "var b\n"),
		file("package/a.ts", "let a\n"),
		file("package/a.d.ts", "declare let a\n"),
		file("package/package.json", "{}"),
	},
	"two@2.0.0": {
		file("two/c.ts", "let c\n"),
		file("two/same.js", "var a\n"),
	},
}

// fakeFiles is the whole text that the tier must come to, by path.
var fakeFiles = map[string]string{
	"two-2.0.0/same.js":  "var a\n",
	"one-pkg-1.0.0/b.js": "var b\n",
	"one-pkg-1.0.0/a.ts": "let a\n",
	"two-2.0.0/c.ts":     "let c\n",
}

// fakeTier makes a tier of the fake packages, and puts an npm first in PATH
// that serves their tarballs from the folder store. It writes its arguments to
// store/calls.
func fakeTier(t *testing.T) (fake tier, store string) {
	t.Helper()
	store = t.TempDir()
	fake = tier{name: "fake", limits: map[executor.Language]int{js: 2, ts: 2}}
	for _, spec := range []string{"@one/pkg@1.0.0", "two@2.0.0"} {
		archive := tarball(t, fakePackages[spec]...)
		p := npmPackage{spec: spec, tarball: tarballName(spec), sha256: hexSum(string(archive))}
		write(t, filepath.Join(store, p.tarball), string(archive))
		fake.packages = append(fake.packages, p)
	}
	var lines string
	for _, path := range []string{"one-pkg-1.0.0/b.js", "two-2.0.0/same.js", "one-pkg-1.0.0/a.ts", "two-2.0.0/c.ts"} {
		lines += line(strings.TrimPrefix(filepath.Ext(path), "."), path, fakeFiles[path])
	}
	fake.digest = hexSum(lines)

	npm(t, `echo "$@" >> '`+store+`/calls'
for spec; do :; done
cp '`+store+`'/"$(echo "$spec" | sed 's,^@,,; s,/,-,; s,@,-,').tgz" .`)
	return fake, store
}

// npm puts a shell script first in PATH as npm.
func npm(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	path := filepath.Join(bin, "npm")
	write(t, path, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// calls is how often npm was called.
func calls(t *testing.T, store string) int {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(store, "calls"))
	if os.IsNotExist(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(log), "\n")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents reads all files of a corpus, by path.
func contents(t *testing.T, c *Corpus) map[string]string {
	t.Helper()
	all := map[string]string{}
	var buf []byte
	for i := range c.Len() {
		var err error
		if buf, err = c.Read(i, buf); err != nil {
			t.Fatal(err)
		}
		all[entry(t, c, i).Path] = string(buf)
	}
	return all
}

// entry is c.Entry where that cannot fail.
func entry(t *testing.T, c *Corpus, i int) Entry {
	t.Helper()
	e, err := c.Entry(i)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func listedPaths(t *testing.T, c *Corpus) []string {
	t.Helper()
	var all []string
	for i := range c.Len() {
		all = append(all, entry(t, c, i).Path)
	}
	return all
}
