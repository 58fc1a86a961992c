package shadow

import (
	"cmp"
	"strings"
	"sync"
	"time"
)

// A Store keeps the latest mismatches. All methods may be called from any
// goroutine.
type Store struct {
	texts bool

	mu     sync.Mutex
	ring   []Mismatch
	stored int // ever; the next one goes to stored % len(ring)
}

// DefaultStore is how many mismatches a store keeps unless told otherwise.
const DefaultStore = 100

// maxName bounds what a store keeps of a name that a caller chose.
const maxName = 256

// NewStore returns a store for the latest size mismatches; 0 means
// DefaultStore. With texts it keeps files' texts, findings and errors too,
// which may be confidential, and large.
func NewStore(size int, texts bool) *Store {
	return &Store{texts: texts, ring: make([]Mismatch, cmp.Or(size, DefaultStore))}
}

// Mismatches returns the mismatches that are kept, the latest first.
func (s *Store) Mismatches() []Mismatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := make([]Mismatch, min(s.stored, len(s.ring)))
	for i := range kept {
		kept[i] = s.ring[(s.stored-1-i)%len(s.ring)]
	}
	return kept
}

func (s *Store) add(m Mismatch) {
	m.Time = time.Now()
	m.Path, m.Rule = short(m.Path), short(m.Rule)
	if !s.texts {
		m.Text, m.Answered.Detail, m.Shadow.Detail = "", "", ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ring[s.stored%len(s.ring)] = m
	s.stored++
}

// short cuts a name, and copies it: a part would hold the whole in memory.
func short(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}
