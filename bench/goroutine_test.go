package bench

import (
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// A perExecution is a watchdog that starts a goroutine per execution and waits
// for its end. What the goroutines use is made once, as legacy does for its
// threads.
type perExecution struct {
	guard       *watch.Guard
	timer       *time.Timer
	done, ended chan struct{}
	deadline    int64
	closed      atomic.Bool
}

func newPerExecution(guard *watch.Guard) (watch.Watchdog, error) {
	w := &perExecution{guard: guard, timer: time.NewTimer(0), done: make(chan struct{}, 1), ended: make(chan struct{}, 1)}
	w.timer.Stop()
	return w, nil
}

// Arm implements watch.Watchdog.
func (w *perExecution) Arm(deadline int64) error {
	if w.closed.Load() {
		return errWatchdogClosed
	}
	w.deadline = deadline
	w.guard.Arm(deadline)
	go w.run()
	return nil
}

// run is one execution's goroutine.
func (w *perExecution) run() {
	await(w.guard, w.timer, w.deadline, w.done)
	w.ended <- struct{}{}
}

// await returns when the execution is over; it stops one that is due.
func await(guard *watch.Guard, timer *time.Timer, deadline int64, done <-chan struct{}) {
	if deadline != watch.Forever {
		timer.Reset(time.Duration(deadline - guard.Now()))
		defer timer.Stop()
	}
	select {
	case <-done:
	case <-timer.C:
		guard.Fire(deadline)
		<-done
	}
}

// Disarm implements watch.Watchdog.
func (w *perExecution) Disarm() watch.Cause {
	cause := w.guard.Disarm()
	w.done <- struct{}{}
	<-w.ended
	return cause
}

// Close implements watch.Watchdog.
func (w *perExecution) Close() { w.closed.Store(true) }

// Threads implements watch.Watchdog: goroutines are none.
func (*perExecution) Threads() (started, ended uint64) { return 0, 0 }
