package watchtest

import (
	"sync"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// Threads starts goroutines in the place of OS threads and counts them. The
// zero value is ready to use.
type Threads struct {
	// Refuse is what Start fails with, if it is set.
	Refuse error

	mu                  sync.Mutex
	started, live, peak int
}

// Start is a watch.Starter.
func (f *Threads) Start(body func()) (watch.Thread, error) {
	if f.Refuse != nil {
		return nil, f.Refuse
	}
	f.count(1)
	ended := make(thread)
	go func() {
		defer close(ended)
		defer f.count(-1)
		body()
	}()
	return ended, nil
}

func (f *Threads) count(change int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live += change
	f.started += max(0, change)
	f.peak = max(f.peak, f.live)
}

// Counts returns how many threads were started, how many of them have not ended
// yet, and the most there were at one time.
func (f *Threads) Counts() (started, live, peak int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.started, f.live, f.peak
}

type thread chan struct{}

func (t thread) Join() { <-t }
