package corpus

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listed is a corpus of n JavaScript and 2n TypeScript files without content.
func listed(n int) *Corpus {
	var files []candidate
	for i := range n {
		files = append(files,
			newCandidate(js, fmt.Sprintf("p/%d.js", i), []byte("x")),
			newCandidate(ts, fmt.Sprintf("p/%d.ts", i), []byte("x")),
			newCandidate(ts, fmt.Sprintf("p/%d.d.ts", i), []byte("x")))
	}
	return &Corpus{name: "list", list: newListing(selectFiles(files, nil), nil)}
}

func TestEvery(t *testing.T) {
	c := listed(25)
	v, err := c.Every(10)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, i := range []int{0, 10, 20, 25, 35, 45, 55, 65} {
		want = append(want, entry(t, c, i).Path)
	}
	if diff := cmp.Diff(want, listedPaths(t, v)); diff != "" {
		t.Error(diff)
	}
	var entries []Entry
	for i := range v.Len() {
		entries = append(entries, entry(t, v, i))
	}
	wantDigest := digestOf(entries)
	if v.Name() != "list, 1 file of 10" || v.Digest() == c.Digest() || v.Digest() != wantDigest {
		t.Errorf("%s: digest %s", v.Name(), v.Digest())
	}
	if all, err := c.Every(1); err != nil || all.Digest() != c.Digest() {
		t.Errorf("every file: %v", err)
	}
	for _, n := range []int{0, -1} {
		if _, err := c.Every(n); err == nil {
			t.Errorf("Every(%d) gave no error", n)
		}
	}
}

func TestShard(t *testing.T) {
	c := listed(100)
	for _, n := range []int{1, 2, 7, 1000} {
		var all []string
		for i := 1; i <= n; i++ {
			s, err := c.Shard(i, n)
			if err != nil {
				t.Fatal(err)
			}
			if n == 7 && (s.Len() < 20 || s.Len() > 70) {
				t.Errorf("shard %d/%d has %d of %d files", i, n, s.Len(), c.Len())
			}
			all = append(all, listedPaths(t, s)...)
		}
		want := listedPaths(t, c)
		slices.Sort(all)
		slices.Sort(want)
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("%d shards are not disjoint and complete: %s", n, diff)
		}
	}
	for _, bad := range [][2]int{{0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		if _, err := c.Shard(bad[0], bad[1]); err == nil {
			t.Errorf("Shard(%d, %d) gave no error", bad[0], bad[1])
		}
	}
}

// A file's shard does not depend on what else is in the corpus.
func TestShardOfSample(t *testing.T) {
	c := listed(50)
	sample, _ := c.Every(3)
	ofSample, _ := sample.Shard(2, 3)
	ofAll, _ := c.Shard(2, 3)
	for _, p := range listedPaths(t, ofSample) {
		if !slices.Contains(listedPaths(t, ofAll), p) {
			t.Errorf("%s is in shard 2 of the sample only", p)
		}
	}
	if ofSample.Name() != "list, 1 file of 3, shard 2/3" {
		t.Errorf("name %q", ofSample.Name())
	}
}
