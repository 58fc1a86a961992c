package bench

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// A woken is a watchdog with one thread per runtime that is told of each
// execution's begin and end: the straight port of the original, which has a
// condition variable in the place of the channels. Neither message waits for
// the thread, unless it is still busy with the execution before.
type woken struct {
	guard  *watch.Guard
	timer  *time.Timer
	begin  chan int64 // deadlines
	done   chan struct{}
	closed atomic.Bool
	join   func()
	ended  atomic.Uint64
}

func newWoken(guard *watch.Guard, start watch.Starter) (watch.Watchdog, error) {
	w := &woken{guard: guard, timer: time.NewTimer(0), begin: make(chan int64, 1), done: make(chan struct{}, 1)}
	w.timer.Stop()
	thread, err := start(w.run)
	if err != nil {
		return nil, err
	}
	w.join = sync.OnceFunc(func() {
		thread.Join()
		w.ended.Store(1)
	})
	return w, nil
}

// run is the thread's body.
func (w *woken) run() {
	for deadline := range w.begin {
		await(w.guard, w.timer, deadline, w.done)
	}
}

// Arm implements watch.Watchdog.
func (w *woken) Arm(deadline int64) error {
	if w.closed.Load() {
		return errWatchdogClosed
	}
	w.guard.Arm(deadline)
	w.begin <- deadline
	return nil
}

// Disarm implements watch.Watchdog.
func (w *woken) Disarm() watch.Cause {
	cause := w.guard.Disarm()
	w.done <- struct{}{}
	return cause
}

// Close implements watch.Watchdog.
func (w *woken) Close() {
	if w.closed.CompareAndSwap(false, true) {
		close(w.begin)
	}
	w.join()
}

// Threads implements watch.Watchdog.
func (w *woken) Threads() (started, ended uint64) { return 1, w.ended.Load() }
