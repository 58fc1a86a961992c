package watchtest

import (
	"context"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// NewWatchdog makes the watchdog under test.
type NewWatchdog func(*watch.Guard, watch.Starter) (watch.Watchdog, error)

// A Runtime is a runtime with a watchdog and all but V8. Each of its
// executions checks what must always hold: a termination hit it exactly if the
// verdict says so, and none is left.
type Runtime struct {
	Isolate *Isolate
	Guard   *watch.Guard
	Threads *Threads
	Dog     watch.Watchdog

	t testing.TB
}

// NewRuntime makes a runtime whose watchdog runs on threads from start, or
// from the runtime's own Threads if start is nil. Close it.
func NewRuntime(t testing.TB, newDog NewWatchdog, start watch.Starter) *Runtime {
	t.Helper()
	r := &Runtime{Isolate: NewIsolate(), Threads: new(Threads), t: t}
	if start == nil {
		start = r.Threads.Start
	}
	r.Guard = watch.NewGuard(r.Isolate)
	dog, err := newDog(r.Guard, start)
	if err != nil {
		t.Fatalf("new watchdog: %v", err)
	}
	r.Dog = dog
	return r
}

// Execute runs a script of the given length and returns the verdict.
func (r *Runtime) Execute(ctx context.Context, timeout, length time.Duration) watch.Cause {
	r.t.Helper()
	return r.ExecuteFunc(ctx, timeout, func() { r.Isolate.Run(length) })
}

// ExecuteFunc runs script, which must end when the isolate has a termination
// pending, and returns the verdict.
func (r *Runtime) ExecuteFunc(ctx context.Context, timeout time.Duration, script func()) watch.Cause {
	r.t.Helper()
	r.Isolate.Begin()
	start := r.Guard.Now()
	r.Guard.Bind(ctx)
	deadline := r.Guard.Limit(ctx, start, timeout)
	if err := r.Dog.Arm(deadline); err != nil {
		r.t.Fatalf("arm: %v", err)
	}
	if !r.Guard.StopIfDone(ctx) {
		script()
	}
	verdict := r.Dog.Disarm()
	left := r.Isolate.Pending()
	hits := r.Isolate.End()

	want := 1
	if verdict == watch.None {
		want = 0
	}
	if hits != want {
		r.t.Errorf("verdict %d with %d terminations, want %d", verdict, hits, want)
	}
	if left {
		r.t.Error("a termination is pending after Disarm")
	}
	// Without a limit only a test itself fires.
	if now := r.Guard.Now(); verdict == watch.Timeout && now < deadline && deadline != watch.Forever {
		r.t.Errorf("timeout %v before the deadline", time.Duration(deadline-now))
	}
	return verdict
}

// Close ends the watchdog, checks that no thread and no termination is left,
// and that Close may be called again.
func (r *Runtime) Close() {
	r.t.Helper()
	r.Dog.Close()
	r.Dog.Close()
	r.Guard.Close()
	if started, ended := r.Dog.Threads(); started != ended {
		r.t.Errorf("%d threads started, %d ended", started, ended)
	}
	if _, live, peak := r.Threads.Counts(); live != 0 || peak > 1 {
		r.t.Errorf("threads: %d left, at most %d at a time, want 0 and at most 1", live, peak)
	}
	r.Guard.Stop(watch.Memory)
	if n := r.Isolate.Strays(); n != 0 {
		r.t.Errorf("%d terminations outside of executions", n)
	}
}
