// Package results_test holds the kept runs to what their records say.
package results_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/harness/kept"
)

var update = flag.Bool("update", false, "render the kept records again")

// maxRun bounds what one run takes in the repository, in bytes.
const maxRun = 5_000_000

// Every file beside the records is what the records give, to the byte.
func TestRenderings(t *testing.T) {
	for _, dir := range runs(t) {
		t.Run(dir, func(t *testing.T) {
			want := rendered(t, dir)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				path := filepath.Join(dir, name)
				if *update {
					if err := os.WriteFile(path, want[name], 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want[name]) {
					t.Errorf("%s is not what its record gives (%v); run: go test ./results -update", path, err)
				}
			}
			var size int64
			files, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				info, err := f.Info()
				if err != nil {
					t.Fatal(err)
				}
				size += info.Size()
				by := []string{"README.md", "manifest.txt"}
				if _, made := want[f.Name()]; !made && filepath.Ext(f.Name()) != ".jsonl" && !slices.Contains(by, f.Name()) {
					t.Errorf("%s/%s comes from no record", dir, f.Name())
				}
			}
			if size > maxRun {
				t.Errorf("%s has %d bytes, %d are the limit", dir, size, maxRun)
			}
		})
	}
}

var block = regexp.MustCompile(`(?s)<!-- figures of the newest full run -->\n(.*?)<!-- end of figures -->`)

// The figures in README.md are those of the newest full run.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var figures string
	for _, dir := range runs(t) { // sorted by date
		if strings.HasSuffix(dir, "-full") {
			figures = fmt.Sprintf("From `%s`:\n\n%s", dir, rendered(t, dir)["figures.md"])
		}
	}
	want := "<!-- figures of the newest full run -->\n" + figures + "<!-- end of figures -->"
	if *update {
		text = block.ReplaceAllLiteral(text, []byte(want))
		if err := os.WriteFile("README.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(block.Find(text)); got != want {
		t.Errorf("README.md has other figures than the newest full run; run: go test ./results -update\n%s\nwant\n%s", got, want)
	}
}

// runs are the folders of kept runs.
func runs(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*/record.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no kept run: %v", err)
	}
	var dirs []string
	for _, path := range paths {
		dirs = append(dirs, filepath.Dir(path))
	}
	return dirs
}

func rendered(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	run, err := kept.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := run.Render()
	if err != nil {
		t.Fatal(err)
	}
	return files
}
