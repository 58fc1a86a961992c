package legacy

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

var errWatchdogClosed = errors.New("legacy: watchdog is closed")

// A watchdog watches each execution from a thread of its own, which is started
// in Arm and joined in Disarm. What the threads use is made once and handed
// from one to the next, so that an execution pays for its thread and for
// nothing else.
type watchdog struct {
	guard *watch.Guard
	start watch.Starter
	body  func() // the method value run, made once

	// done tells the thread that its execution is over. It has room for the
	// message, so that the sender need not wait for the thread to be up.
	done   chan struct{}
	timer  *time.Timer
	thread watch.Thread
	// deadline is the running execution's; starting the thread hands it over.
	deadline int64

	closed         atomic.Bool
	started, ended atomic.Uint64
}

// newWatchdog returns a watchdog that has no thread yet.
func newWatchdog(guard *watch.Guard, start watch.Starter) *watchdog {
	w := &watchdog{
		guard: guard,
		start: start,
		done:  make(chan struct{}, 1),
		timer: time.NewTimer(0),
	}
	w.timer.Stop()
	w.body = w.run
	return w
}

// Arm implements watch.Watchdog. It fails if the thread is refused, and after
// Close.
func (w *watchdog) Arm(deadline int64) error {
	if w.closed.Load() {
		return errWatchdogClosed
	}
	// The guard first: the thread of an execution that is already due fires at
	// once, and must find it.
	w.deadline = deadline
	w.guard.Arm(deadline)
	thread, err := w.start(w.body)
	if err != nil {
		w.guard.Disarm()
		return fmt.Errorf("legacy: start the watchdog: %w", err)
	}
	w.started.Add(1)
	w.thread = thread
	return nil
}

// run is the body of one execution's thread.
func (w *watchdog) run() {
	if w.deadline != watch.Forever {
		w.timer.Reset(time.Duration(w.deadline - w.guard.Now()))
		defer w.timer.Stop()
	}
	select {
	case <-w.done:
	case <-w.timer.C:
		w.guard.Fire(w.deadline)
		<-w.done
	}
}

// Disarm implements watch.Watchdog. The claim comes before the thread's end, so
// that joining does not count as time of the execution.
func (w *watchdog) Disarm() watch.Cause {
	cause := w.guard.Disarm()
	w.done <- struct{}{}
	w.thread.Join()
	w.ended.Add(1)
	return cause
}

// Close implements watch.Watchdog. Each thread ended with its execution.
func (w *watchdog) Close() { w.closed.Store(true) }

// Threads implements watch.Watchdog.
func (w *watchdog) Threads() (started, ended uint64) {
	ended = w.ended.Load() // first, so that it never exceeds started
	return w.started.Load(), ended
}
