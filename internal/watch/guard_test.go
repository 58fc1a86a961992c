package watch_test

import (
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// unclocked arms and disarms the guard and leaves the firing to the test.
type unclocked struct{ *watch.Guard }

func (u unclocked) Arm(deadline int64) error              { u.Guard.Arm(deadline); return nil }
func (u unclocked) Close()                                {}
func (u unclocked) Threads() (started, ended uint64)      { return 0, 0 }
func newUnclocked(g *watch.Guard) (watch.Watchdog, error) { return unclocked{g}, nil }

func newRuntime(t *testing.T) *watchtest.Runtime {
	r := watchtest.NewRuntime(t, func(g *watch.Guard, _ watch.Starter) (watch.Watchdog, error) {
		return newUnclocked(g)
	}, nil)
	t.Cleanup(r.Close)
	return r
}

// An execution is claimed once, and only while it runs.
func TestFireOnce(t *testing.T) {
	r := newRuntime(t)
	g := r.Guard
	first := g.Limit(t.Context(), g.Now(), time.Minute)
	if g.Fire(first) {
		t.Error("fired before arm")
	}
	second := first + 1
	verdict := r.ExecuteFunc(t.Context(), 0, func() {
		if g.Fire(first) || g.Fire(second) {
			t.Error("fired with a deadline that is not the execution's")
		}
		if g.Armed() != watch.Forever {
			t.Errorf("armed %d", g.Armed())
		}
		if !g.Fire(watch.Forever) || g.Fire(watch.Forever) || g.Stop(watch.Memory) {
			t.Error("want one claim to succeed and no other")
		}
		if g.Armed() != 0 {
			t.Errorf("armed %d after the claim", g.Armed())
		}
	})
	if verdict != watch.Timeout {
		t.Errorf("verdict %d, want timeout", verdict)
	}
	if g.Fire(watch.Forever) || g.Fire(0) || g.Fire(-1) {
		t.Error("fired at an idle runtime")
	}
}

func TestClosedGuardStopsNothing(t *testing.T) {
	iso := watchtest.NewIsolate()
	g := watch.NewGuard(iso)
	g.Close()
	g.Close()
	g.Arm(watch.Forever) // nobody may, but the isolate could be gone
	if g.Fire(watch.Forever) || g.Stop(watch.Memory) || iso.Strays() != 0 {
		t.Error("a closed guard reached the isolate")
	}
}

// A counter is an isolate that only counts.
type counter struct{ terminated, cancelled atomic.Int64 }

func (c *counter) Terminate() { c.terminated.Add(1) }
func (c *counter) Cancel()    { c.cancelled.Add(1) }

// Disarm and Fire meet: the place where a claim that is not one atomic step is
// found out. The firing side must agree with the verdict, and the termination
// must have been sent and cancelled by then.
func TestFireMeetsDisarm(t *testing.T) {
	var iso counter
	g := watch.NewGuard(&iso)
	defer g.Close()
	deadline := g.Limit(t.Context(), g.Now(), 0)

	var verdict watch.Cause
	var fired, stopped bool
	verdicts := make(map[watch.Cause]int)
	g.Arm(deadline)
	watchtest.Race(time.Second/2, func() {
		verdict = g.Disarm()
		stopped = iso.terminated.Load() != iso.cancelled.Load()
	}, func() {
		fired = g.Fire(deadline)
	}, func() bool {
		if fired != (verdict == watch.Timeout) || stopped || iso.terminated.Load() != iso.cancelled.Load() {
			t.Errorf("fired: %v, verdict %d, %d terminations, %d cancelled",
				fired, verdict, iso.terminated.Load(), iso.cancelled.Load())
		}
		verdicts[verdict]++
		g.Arm(deadline)
		return !fired
	})
	t.Logf("%d fired, %d not", verdicts[watch.Timeout], verdicts[watch.None])
}
