package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/google/go-cmp/cmp"
)

// inHashOrder sorts paths as the selection must.
func inHashOrder(paths ...string) []string {
	hash := func(p string) string {
		sum := sha256.Sum256([]byte(p))
		return hex.EncodeToString(sum[:])
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(hash(a), hash(b)) })
	return paths
}

func paths(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Path)
	}
	return all
}

func TestSelect(t *testing.T) {
	// The names are picked by their place in hash order.
	p := inHashOrder("p/a.ts", "p/b.ts", "p/c.ts", "p/d.ts", "p/e.ts", "p/f.ts")
	d := inHashOrder("p/a.d.ts", "p/b.d.ts", "p/c.d.mts")
	j := inHashOrder("p/a.js", "p/b.js")
	limit := func(n int) map[executor.Language]int { return map[executor.Language]int{ts: n} }

	tests := []struct {
		name   string
		files  map[string]string // path to content
		limits map[executor.Language]int
		want   []string
	}{
		{
			"no limit: all, JavaScript first, each in hash order",
			map[string]string{j[0]: "1", j[1]: "1", p[0]: "1", p[1]: "1", d[0]: "1"},
			nil,
			append(slices.Clone(j), inHashOrder(p[0], p[1], d[0])...),
		},
		{"limit above the number", map[string]string{p[0]: "1", p[1]: "1"}, limit(5), p[:2]},
		{"cut in hash order", map[string]string{p[0]: "1", p[1]: "2", p[2]: "3"}, limit(2), p[:2]},
		{
			"distinct sources before duplicates",
			map[string]string{p[0]: "1", p[1]: "1", p[2]: "1", p[3]: "2"},
			limit(2),
			[]string{p[0], p[3]},
		},
		{
			"then duplicates in hash order, result in hash order",
			map[string]string{p[0]: "1", p[1]: "1", p[2]: "1", p[3]: "2"},
			limit(3),
			[]string{p[0], p[1], p[3]},
		},
		{
			"sources before declarations before duplicates",
			map[string]string{p[0]: "1", p[1]: "1", d[0]: "3", d[1]: "4"},
			limit(3),
			inHashOrder(p[0], d[0], d[1]),
		},
		{
			"equal bytes in the other language are no duplicate",
			map[string]string{j[0]: "1", p[0]: "1", p[1]: "1", p[2]: "2"},
			limit(2),
			[]string{j[0], p[0], p[2]},
		},
		{
			"limit zero",
			map[string]string{j[0]: "1", p[0]: "1"},
			limit(0),
			[]string{j[0]},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var files []candidate
			for path, text := range tt.files {
				files = append(files, newCandidate(languageOf(path), path, []byte(text)))
			}
			got := selectFiles(files, tt.limits)
			if diff := cmp.Diff(tt.want, paths(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Sources and declarations share one hash order: whichever of two equal files
// comes later is the duplicate, even if it is the source.
func TestSelectDuplicateAcrossClasses(t *testing.T) {
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		pair := inHashOrder("p/"+name+".ts", "p/"+name+".d.ts")
		files := []candidate{
			newCandidate(ts, pair[0], []byte("same")),
			newCandidate(ts, pair[1], []byte("same")),
			newCandidate(ts, "p/other.d.ts", []byte("other")),
		}
		got := selectFiles(files, map[executor.Language]int{ts: 2})
		if diff := cmp.Diff(inHashOrder(pair[0], "p/other.d.ts"), paths(got)); diff != "" {
			t.Errorf("%s comes before %s: %s", pair[0], pair[1], diff)
		}
	}
}

func TestSelectOffsets(t *testing.T) {
	files := []candidate{newCandidate(ts, "a.ts", []byte("12345")), newCandidate(js, "b.js", []byte("123"))}
	got := selectFiles(files, nil)
	if got[0].offset != 0 || got[1].offset != 3 {
		t.Errorf("offsets %d, %d, want 0, 3", got[0].offset, got[1].offset)
	}
}
