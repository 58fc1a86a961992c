package watch_test

import (
	"context"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

// All executions have the same deadline. A cancellation of the first one's
// context that was under way arrives during another.
func TestLateCancellation(t *testing.T) {
	r := newRuntime(t)
	bound := func() (context.Context, func()) {
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		r.ExecuteFunc(ctx, 0, func() {})
		return ctx, r.Guard.Cancellation()
	}
	first, late := bound()
	second, _ := bound()
	for name, ctx := range map[string]context.Context{
		"other context":        second,
		"none":                 context.Background(),
		"the same, bound anew": first,
	} {
		if got := r.ExecuteFunc(ctx, 0, late); got != watch.None {
			t.Errorf("%s: verdict %d, stopped by an old registration", name, got)
		}
	}
	third, own := bound()
	if got := r.ExecuteFunc(third, 0, own); got != watch.Context {
		t.Errorf("verdict %d: not stopped by its own context", got)
	}
}

// A countingContext counts its registrations and how many were taken back.
type countingContext struct {
	context.Context
	done                 chan struct{}
	registered, released int
}

func (c *countingContext) Done() <-chan struct{} { return c.done }

// AfterFunc is what context.AfterFunc uses.
func (c *countingContext) AfterFunc(func()) (stop func() bool) {
	c.registered++
	return func() bool { c.released++; return true }
}

func TestBindRegistersOnce(t *testing.T) {
	r := newRuntime(t)
	ctx := &countingContext{Context: t.Context(), done: make(chan struct{})}
	derived := context.WithValue(ctx, t, "same cancellation")
	for range 10 {
		r.ExecuteFunc(ctx, 0, func() {})
		r.ExecuteFunc(derived, 0, func() {})
	}
	if ctx.registered != 1 {
		t.Errorf("registered %d times, want once", ctx.registered)
	}
	if ctx.released != 0 {
		t.Error("released while bound")
	}
	if n := testing.AllocsPerRun(100, func() { r.Guard.Bind(derived) }); n != 0 {
		t.Errorf("%v allocations to bind the same context again, want 0", n)
	}
	r.Guard.Close()
	if ctx.released != 1 {
		t.Errorf("Close released the context %d times, want once", ctx.released)
	}
}

// An incomparable context panics when it is compared with ==.
type incomparable struct {
	context.Context
	_ []int
}

func TestBindIncomparable(t *testing.T) {
	r := newRuntime(t)
	ctx, cancel := context.WithCancel(t.Context())
	for range 2 {
		if got := r.ExecuteFunc(incomparable{Context: ctx}, 0, func() {}); got != watch.None {
			t.Errorf("verdict %d", got)
		}
	}
	verdict := r.ExecuteFunc(incomparable{Context: ctx}, 0, func() {
		cancel()
		r.Isolate.Run(time.Minute)
	})
	if verdict != watch.Context {
		t.Errorf("verdict %d, want context", verdict)
	}
}

// TestStopIfDone: whoever ends between the caller's check and Arm is noticed.
func TestStopIfDone(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		close bool
		want  watch.Cause
	}{
		"nothing":              {t.Context(), false, watch.None},
		"cancelled":            {cancelled, false, watch.Context},
		"closed":               {t.Context(), true, watch.Closed},
		"cancelled and closed": {cancelled, true, watch.Closed},
	} {
		iso := watchtest.NewIsolate()
		g := watch.NewGuard(iso)
		if c.close {
			g.Stop(watch.Closed)
		}
		g.Arm(g.Limit(c.ctx, g.Now(), 0))
		if got := g.StopIfDone(c.ctx); got != (c.want != watch.None) {
			t.Errorf("%s: StopIfDone says %v", name, got)
		}
		if got := g.Disarm(); got != c.want {
			t.Errorf("%s: verdict %d, want %d", name, got, c.want)
		}
		// Not armed (as in the reference arm), nothing is stopped.
		if g.StopIfDone(c.ctx) {
			t.Errorf("%s: stopped an idle runtime", name)
		}
		g.Close()
	}
}
