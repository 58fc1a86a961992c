package measure

import (
	"slices"
	"strings"
	"sync"
)

// The last part of a child's output that is kept.
const (
	tailBytes = 8 << 10
	tailLines = 20
)

// A tail is a writer that keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails: a child must not block or die because it talks.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-tailBytes):]...)
	t.text = slices.Delete(t.text, 0, max(0, len(t.text)-tailBytes))
	return len(p), nil
}

// lines returns the last lines.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.text), "\uFFFD"))
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-tailLines):]
}
