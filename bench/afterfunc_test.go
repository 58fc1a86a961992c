package bench

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

var errWatchdogClosed = errors.New("bench: watchdog is closed")

// An afterFunc is a watchdog that starts a timer of Go's per execution. The
// timer needs no thread until it fires. Turning the deadline into a duration
// takes one reading of the clock that a program with a fixed limit would not
// need.
type afterFunc struct {
	guard  *watch.Guard
	timer  *time.Timer // nil for an execution without a deadline
	closed atomic.Bool
}

func newAfterFunc(guard *watch.Guard) (watch.Watchdog, error) { return &afterFunc{guard: guard}, nil }

// Arm implements watch.Watchdog.
func (w *afterFunc) Arm(deadline int64) error {
	if w.closed.Load() {
		return errWatchdogClosed
	}
	w.guard.Arm(deadline)
	if w.timer = nil; deadline != watch.Forever {
		w.timer = time.AfterFunc(time.Duration(deadline-w.guard.Now()), func() { w.guard.Fire(deadline) })
	}
	return nil
}

// Disarm implements watch.Watchdog. A timer that fires late finds nothing to
// claim.
func (w *afterFunc) Disarm() watch.Cause {
	cause := w.guard.Disarm()
	if w.timer != nil {
		w.timer.Stop()
	}
	return cause
}

// Close implements watch.Watchdog.
func (w *afterFunc) Close() { w.closed.Store(true) }

// Threads implements watch.Watchdog.
func (*afterFunc) Threads() (started, ended uint64) { return 0, 0 }
