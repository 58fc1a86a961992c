package shadow

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestStoreKeepsTheLatest(t *testing.T) {
	s := NewStore(3, false)
	if got := s.Mismatches(); len(got) != 0 {
		t.Errorf("new: %v", got)
	}
	for i := range 8 {
		s.add(Mismatch{Path: fmt.Sprint(i)})
		got := ""
		for _, m := range s.Mismatches() {
			got += m.Path
		}
		if want := []string{"0", "10", "210", "321", "432", "543", "654", "765"}[i]; got != want {
			t.Errorf("after %d: %s, want %s", i+1, got, want)
		}
	}
}

// Names come from callers; they cannot fill the memory.
func TestStoreCutsNames(t *testing.T) {
	s := NewStore(1, false)
	s.add(Mismatch{Path: strings.Repeat("ä", 1<<20), Rule: strings.Repeat("x", 256)})
	m := s.Mismatches()[0]
	if m.Path != strings.Repeat("ä", 128)+"…" || m.Rule != strings.Repeat("x", 256) {
		t.Errorf("got %d and %d bytes", len(m.Path), len(m.Rule))
	}
	s.add(Mismatch{Path: "x" + strings.Repeat("ä", 1<<20)})
	if m := s.Mismatches()[0]; m.Path != "x"+strings.Repeat("ä", 127)+"…" {
		t.Errorf("got %q", m.Path)
	}
}

func TestStoreFromManyGoroutines(t *testing.T) {
	s := NewStore(10, false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				s.add(Mismatch{})
				s.Mismatches()
			}
		})
	}
	all.Wait()
	if len(s.Mismatches()) != 10 || s.stored != 800 {
		t.Errorf("%d kept of %d", len(s.Mismatches()), s.stored)
	}
}
