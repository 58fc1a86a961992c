package watch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// The two values of a guard's word that are not deadlines.
const (
	idle  int64 = 0
	fired int64 = -1
)

// A Guard decides for one runtime whether its running execution is stopped,
// and by whom. All who may stop it (the watchdog, the memory guard, the
// caller's context, Close) first claim the word, so that exactly one of them
// wins and a late one finds nothing to claim.
//
// An execution goes through Bind, Limit, Arm, StopIfDone, the script, Disarm,
// all on one goroutine at a time: the executing one. Arm and Disarm are reached
// through a Watchdog. The other methods say who may call them.
type Guard struct {
	iso  Isolate
	base time.Time

	// word is idle, fired, or the running execution's deadline. Only the
	// executing goroutine leaves idle or returns to it; only a holder of mu
	// changes a deadline to fired.
	word atomic.Int64
	// closing makes Stop(Closed) stick: an execution that was not yet armed
	// when it came finds it in StopIfDone.
	closing atomic.Bool

	// mu is held from the claim until the termination has been sent. Disarm
	// takes it after a claim, so it never overtakes the termination.
	mu    sync.Mutex
	cause Cause  // why word is fired
	bound uint64 // counts changes of the bound context
	shut  bool   // the isolate may be gone

	// These belong to the executing goroutine.
	due    Cause           // whose deadline Limit chose
	done   <-chan struct{} // the bound context's, nil if it cannot be cancelled
	unbind func() bool     // ends the registration with the bound context
}

// NewGuard returns an idle guard for a runtime's isolate. Its clock starts now.
func NewGuard(iso Isolate) *Guard {
	return &Guard{iso: iso, base: time.Now()}
}

// Arm makes the execution due at deadline one that can be stopped. It is for
// watchdogs; the guard itself does not watch the clock. The deadline comes from
// Limit.
func (g *Guard) Arm(deadline int64) {
	g.word.Store(deadline)
}

// Disarm ends what Arm began and returns the verdict: None, or why the
// execution was stopped. From then on nothing can stop it, and no termination
// is pending. It is for watchdogs.
func (g *Guard) Disarm() Cause {
	if g.word.Swap(idle) != fired {
		return None
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.iso.Cancel()
	return g.cause
}

// Armed returns the running execution's deadline, or 0 if there is none that
// could still be stopped. Any goroutine may call it; the answer may be out of
// date at once.
func (g *Guard) Armed() int64 {
	return max(idle, g.word.Load())
}

// Fire stops the execution that is due at deadline, and reports whether it was
// still running. A watchdog calls it, on any goroutine, when the guard's clock
// has reached deadline. Another execution with the same deadline is as due, so
// the deadline is identity enough.
func (g *Guard) Fire(deadline int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.claim(deadline) {
		return false
	}
	// The claim orders this read: due was written before the word.
	g.stop(g.due)
	return true
}

// Stop stops whatever execution is running, and reports whether there was one
// that nobody had claimed. Any goroutine may call it, the executing one from
// inside V8 too. Stop(Closed) lasts: executions that arm later are stopped by
// StopIfDone.
func (g *Guard) Stop(cause Cause) bool {
	if cause == Closed {
		g.closing.Store(true)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stopRunning(cause)
}

// Close takes the guard off its context and off the isolate, which may be
// disposed afterwards. No execution may be running or follow.
func (g *Guard) Close() {
	g.closing.Store(true)
	g.bind(context.Background())
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
}

// claim takes the execution that is due at deadline out of the executing
// goroutine's hands; mu is held.
func (g *Guard) claim(deadline int64) bool {
	return deadline > idle && !g.shut && g.word.CompareAndSwap(deadline, fired)
}

// stop ends an execution that has just been claimed; mu is held.
func (g *Guard) stop(cause Cause) {
	g.cause = cause
	g.iso.Terminate()
}

// stopRunning claims and stops the execution that runs now; mu is held. If the
// claim fails, the execution that was found has ended by itself.
func (g *Guard) stopRunning(cause Cause) bool {
	if !g.claim(g.word.Load()) {
		return false
	}
	g.stop(cause)
	return true
}
