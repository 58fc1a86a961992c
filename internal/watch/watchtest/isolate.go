package watchtest

import (
	"sync"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// A Isolate behaves towards watchdogs as V8 does, without V8: a termination
// ends the script that runs, or else the next one, until it is cancelled. It
// knows which execution a termination hit. The zero value is not usable.
type Isolate struct {
	// pending holds a token while a termination is pending.
	pending chan struct{}

	mu        sync.Mutex
	executing bool
	hits      int
	strays    int
}

var _ watch.Isolate = (*Isolate)(nil)

// NewIsolate returns an idle isolate.
func NewIsolate() *Isolate {
	return &Isolate{pending: make(chan struct{}, 1)}
}

// Begin starts an execution. Terminations from here to End belong to it.
func (f *Isolate) Begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.executing, f.hits = true, 0
}

// End ends the execution and returns how many terminations hit it.
func (f *Isolate) End() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.executing = false
	return f.hits
}

// Run is a script that takes d, and reports whether it came to its end.
func (f *Isolate) Run(d time.Duration) bool {
	end := time.NewTimer(d)
	defer end.Stop()
	select {
	case <-f.pending:
		f.pending <- struct{}{}
		return false
	case <-end.C:
		return true
	}
}

// Terminate implements watch.Isolate.
func (f *Isolate) Terminate() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.executing {
		f.hits++
	} else {
		f.strays++
	}
	select {
	case f.pending <- struct{}{}:
	default:
	}
}

// Cancel implements watch.Isolate.
func (f *Isolate) Cancel() {
	select {
	case <-f.pending:
	default:
	}
}

// Pending reports whether a termination waits for the next script.
func (f *Isolate) Pending() bool { return len(f.pending) > 0 }

// Strays returns how many terminations came outside of executions.
func (f *Isolate) Strays() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.strays
}
