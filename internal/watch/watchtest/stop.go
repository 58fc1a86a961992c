package watchtest

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// The ways to be stopped other than by the timeout.

func (r *Runtime) expect(t *testing.T, ctx context.Context, timeout, length time.Duration, want watch.Cause) {
	t.Helper()
	if got := r.Execute(ctx, timeout, length); got != want {
		t.Errorf("verdict %d, want %d", got, want)
	}
}

func contextCancelled(t *testing.T, r *Runtime) {
	for _, timeout := range []time.Duration{0, time.Hour} {
		ctx, cancel := context.WithCancel(t.Context())
		r.expect(t, ctx, timeout, limit, watch.None)
		time.AfterFunc(limit, cancel)
		start := time.Now()
		r.expect(t, ctx, timeout, endless, watch.Context)
		if took := time.Since(start); took != limit {
			t.Errorf("stopped after %v, want %v", took, limit)
		}
		r.expect(t, t.Context(), timeout, limit, watch.None)
	}
}

func contextDeadline(t *testing.T, r *Runtime) {
	for _, c := range []struct {
		timeout, deadline, length time.Duration
		want                      watch.Cause
	}{
		{2 * limit, limit, endless, watch.Context},
		{limit, 2 * limit, endless, watch.Timeout},
		{0, limit, endless, watch.Context},
		{2 * limit, limit, limit / 2, watch.None},
		{2 * limit, -limit, endless, watch.Context},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
		start := time.Now()
		r.expect(t, ctx, c.timeout, c.length, c.want)
		if took := time.Since(start); took > limit {
			t.Errorf("%+v: took %v", c, took)
		}
		cancel()
		r.expect(t, t.Context(), limit, limit/2, watch.None)
	}
}

// idleContext: with no limit all deadlines are equal, so nothing but the guard's
// check of the context tells one execution from the other's.
func idleContext(t *testing.T, r *Runtime) {
	for range 200 {
		mine, cancelMine := context.WithCancel(t.Context())
		other, cancelOther := context.WithCancel(t.Context())
		r.expect(t, other, 0, time.Millisecond, watch.None)
		time.AfterFunc(limit/2, cancelOther)
		r.expect(t, mine, 0, limit, watch.None)
		r.expect(t, other, 0, endless, watch.Context)
		cancelMine()
	}
}

func cancelledBeforeArm(t *testing.T, r *Runtime) {
	ctx, cancel := context.WithCancel(t.Context())
	r.expect(t, ctx, 0, limit, watch.None)
	cancel()
	synctest.Wait() // the guard has been told, and found nothing to stop
	r.expect(t, ctx, 0, endless, watch.Context)
	r.expect(t, t.Context(), limit, limit/2, watch.None)
}

func memory(t *testing.T, r *Runtime) {
	if r.Guard.Stop(watch.Memory) {
		t.Error("stopped an idle runtime")
	}
	for range 3 {
		verdict := r.ExecuteFunc(t.Context(), limit, func() {
			if !r.Guard.Stop(watch.Memory) {
				t.Error("Stop did not find the execution")
			}
			if r.Guard.Stop(watch.Context) {
				t.Error("stopped twice")
			}
			time.Sleep(2 * limit) // past the deadline: the first cause stays
		})
		if verdict != watch.Memory {
			t.Errorf("verdict %d, want memory", verdict)
		}
	}
}

func closedRunning(t *testing.T, r *Runtime) {
	time.AfterFunc(limit, func() { r.Guard.Stop(watch.Closed) })
	r.expect(t, t.Context(), 0, endless, watch.Closed)
}

// closedIdle: an execution that slipped past the executor's own check is
// stopped all the same.
func closedIdle(t *testing.T, r *Runtime) {
	if r.Guard.Stop(watch.Closed) {
		t.Error("stopped an idle runtime")
	}
	r.expect(t, t.Context(), 0, endless, watch.Closed)
}
