package corpus

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fetched is a fake tier in a cache.
func fetched(t *testing.T) (fake tier, cache string) {
	t.Helper()
	fake, _ = fakeTier(t)
	cache = t.TempDir()
	if err := fetch(t.Context(), cache, fake, nil); err != nil {
		t.Fatal(err)
	}
	return fake, cache
}

func openFake(t *testing.T) (c *Corpus, cache string) {
	t.Helper()
	fake, cache := fetched(t)
	c, err := openTier(cache, fake)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, cache
}

func TestOpenNotFetched(t *testing.T) {
	_, err := Open(t.TempDir(), "small")
	if !errors.Is(err, ErrNotFetched) || !strings.Contains(err.Error(), "ddsabench corpus fetch small") {
		t.Errorf("got %v", err)
	}
}

// An index of another selection, for example of an older version, is refused.
func TestOpenOtherSelection(t *testing.T) {
	fake, cache := fetched(t)
	fake.digest = hexSum("")
	_, err := openTier(cache, fake)
	if !errors.Is(err, ErrNotFetched) || !strings.Contains(err.Error(), fake.digest) {
		t.Errorf("got %v", err)
	}
}

func TestReadCorrupt(t *testing.T) {
	c, cache := openFake(t)
	write(t, cache+"/fake.pack", "var a\nvar X\nlet a\n")
	var bad []string
	for i := range c.Len() {
		if _, err := c.Read(i, nil); err != nil {
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "ddsabench corpus fetch fake") {
				t.Errorf("got %v", err)
			}
			bad = append(bad, entry(t, c, i).Path)
		}
	}
	if len(bad) < 2 {
		t.Errorf("only %v were found to be corrupt", bad)
	}
}

func TestReadBuffer(t *testing.T) {
	c, _ := openFake(t)
	buf := make([]byte, 0, 100)
	got, err := c.Read(0, buf)
	if err != nil || &got[0] != &buf[:1][0] {
		t.Errorf("the buffer was not used: %v", err)
	}
	if got, err = c.Read(0, make([]byte, 1)); err != nil || len(got) != 6 {
		t.Errorf("with a short buffer: %q, %v", got, err)
	}
}

func TestReadConcurrently(t *testing.T) {
	c, _ := openFake(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var buf []byte
			for k := range 200 {
				var err error
				i := k % c.Len()
				e, errEntry := c.Entry(i)
				if buf, err = c.Read(i, buf); err != nil || errEntry != nil || string(buf) != fakeFiles[e.Path] {
					t.Errorf("%s: %q, %v, %v", e.Path, buf, err, errEntry)
					return
				}
				c.Digest()
			}
		})
	}
	wg.Wait()
}

func TestClose(t *testing.T) {
	c, _ := openFake(t)
	view, err := c.Every(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(view.Close(), c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if _, err := c.Read(0, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
}

// A pack and an index that belong together but are in another order.
func TestVerifyOrder(t *testing.T) {
	fake, cache := fetched(t)
	c, err := openTier(cache, fake)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var index, pack string
	for i := c.Len() - 1; i >= 0; i-- {
		e := entry(t, c, i)
		index += string(appendLine(nil, &e))
		pack += fakeFiles[e.Path]
	}
	write(t, cache+"/fake.index", index)
	write(t, cache+"/fake.pack", pack)
	if _, err := verify(t.Context(), cache, fake); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "order") {
		t.Errorf("got %v", err)
	}
}

func TestEntryOrder(t *testing.T) {
	c, _ := openFake(t)
	want := append(inHashOrder("one-pkg-1.0.0/b.js", "two-2.0.0/same.js"), inHashOrder("one-pkg-1.0.0/a.ts", "two-2.0.0/c.ts")...)
	if diff := cmp.Diff(want, listedPaths(t, c)); diff != "" {
		t.Error(diff)
	}
}

// A listing reads its lines from the index, whatever their length, and notices
// when they are no longer there.
func TestEntryReadsTheIndex(t *testing.T) {
	c, cache := openFake(t)
	write(t, cache+"/fake.index", "other\n")
	for i := range c.Len() {
		_, err := c.Entry(i)
		_, errRead := c.Read(i, nil)
		if !errors.Is(err, ErrCorrupt) || !errors.Is(errRead, ErrCorrupt) || !strings.Contains(err.Error(), "ddsabench corpus fetch fake") {
			t.Errorf("got %v, %v", err, errRead)
		}
	}
}

func TestLongLines(t *testing.T) {
	var files []candidate
	for n := 300; n < 1200; n += 7 {
		files = append(files, newCandidate(js, strings.Repeat("d/", n/2)+"x.js", []byte("x")))
	}
	entries := selectFiles(files, nil)
	c := &Corpus{name: "long", list: newListing(entries, nil)}
	for i, want := range entries {
		if got := entry(t, c, i); got != want {
			t.Errorf("file %d is %+v, want %+v", i, got, want)
		}
	}
}
