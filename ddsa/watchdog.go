package ddsa

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

var errWatchdogClosed = errors.New("ddsa: watchdog is closed")

// A watchdog watches all executions of a runtime from one thread, which it
// does not wake per execution: the thread sleeps until a deadline that it has
// seen, and most executions are over by then and the next one's deadline is
// later. Whoever arms an earlier deadline than the thread sleeps for wakes it.
type watchdog struct {
	guard *watch.Guard
	// next is when the thread will look at the guard again; 0 while it looks,
	// and after its end.
	next atomic.Int64
	// wake holds at most one token, the deadline that needs the thread. A token
	// stays until the thread takes it, so none is lost while it is busy.
	wake   chan int64
	closed atomic.Bool
	join   func()
	ended  atomic.Uint64
}

// newWatchdog starts the thread. An error means that none could be had.
func newWatchdog(guard *watch.Guard, start watch.Starter) (*watchdog, error) {
	w := &watchdog{guard: guard, wake: make(chan int64, 1)}
	thread, err := start(w.run)
	if err != nil {
		return nil, fmt.Errorf("ddsa: start the watchdog: %w", err)
	}
	w.join = sync.OnceFunc(func() {
		thread.Join()
		w.ended.Store(1)
	})
	return w, nil
}

// Arm implements watch.Watchdog. It fails only after Close.
func (w *watchdog) Arm(deadline int64) error {
	if w.closed.Load() {
		return errWatchdogClosed
	}
	// The word first, then next; settle has it the other way round. So either
	// this sees how long the thread sleeps, or the thread sees the deadline.
	w.guard.Arm(deadline)
	if deadline < w.next.Load() {
		w.nudge(deadline)
	}
	return nil
}

// nudge wakes the thread, or leaves the token that is already there.
func (w *watchdog) nudge(deadline int64) {
	select {
	case w.wake <- deadline:
	default:
	}
}

// Disarm implements watch.Watchdog. The thread is left asleep.
func (w *watchdog) Disarm() watch.Cause { return w.guard.Disarm() }

// Close implements watch.Watchdog.
func (w *watchdog) Close() {
	if w.closed.CompareAndSwap(false, true) {
		close(w.wake)
	}
	w.join()
}

// Threads implements watch.Watchdog.
func (w *watchdog) Threads() (started, ended uint64) {
	return 1, w.ended.Load()
}

// run is the thread's body.
func (w *watchdog) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	hint := watch.Forever
	for {
		at := w.look(hint)
		if !w.settle(at) {
			continue
		}
		if at == watch.Forever {
			timer.Stop()
		} else {
			timer.Reset(time.Duration(at - w.guard.Now()))
		}
		open := true
		select {
		case <-timer.C:
		case hint, open = <-w.wake:
		}
		w.next.Store(0)
		if !open {
			return
		}
	}
}

// look stops the running execution if it is due, and returns when to look
// again: at the running execution's deadline or, without one, at hint, the last
// deadline that the thread was woken for. Without the hint a thread that comes
// too late for a short execution would sleep forever again, and the next
// execution would have to wake it too.
func (w *watchdog) look(hint int64) int64 {
	now := w.guard.Now()
	switch deadline := w.guard.Armed(); {
	case deadline == 0 || deadline == watch.Forever:
		// Nothing to wait for.
	case deadline > now:
		return deadline
	case !w.guard.Fire(deadline):
		return now // another execution may have begun: look again at once
	}
	if hint > now {
		return hint
	}
	return watch.Forever
}

// settle announces that the thread sleeps until at. It reports false, and takes
// the announcement back, if an earlier deadline was armed in the meantime: who
// armed it may not have seen the announcement.
func (w *watchdog) settle(at int64) bool {
	w.next.Store(at)
	if deadline := w.guard.Armed(); deadline > 0 && deadline < at {
		w.next.Store(0)
		return false
	}
	return true
}
