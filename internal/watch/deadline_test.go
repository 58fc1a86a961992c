package watch_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

// TestLimit runs at one second on the guard's clock.
func TestLimit(t *testing.T) {
	const (
		none    = time.Duration(0)
		longest = time.Duration(math.MaxInt64)
		now     = int64(time.Second) + 1
	)
	past := func(d time.Duration) *time.Duration { return &d }
	for name, c := range map[string]struct {
		timeout time.Duration
		ctx     *time.Duration // the context's deadline from now
		want    int64
		cause   watch.Cause
	}{
		"none":                  {none, nil, watch.Forever, watch.Timeout},
		"timeout":               {time.Minute, nil, now + int64(time.Minute), watch.Timeout},
		"longest timeout":       {longest, nil, watch.Forever, watch.Timeout},
		"context":               {none, past(time.Minute), now + int64(time.Minute), watch.Context},
		"context is earlier":    {time.Minute, past(time.Second), now + int64(time.Second), watch.Context},
		"context is later":      {time.Second, past(time.Minute), now + int64(time.Second), watch.Timeout},
		"context's has passed":  {time.Minute, past(-time.Millisecond), now - int64(time.Millisecond), watch.Context},
		"before the guard":      {time.Minute, past(-time.Hour), 1, watch.Context},
		"just before the guard": {time.Minute, past(-time.Duration(now)), 1, watch.Context},
		"two before the guard":  {time.Minute, past(-time.Duration(now + 1)), 1, watch.Context},
		"context's far away":    {none, past(longest), watch.Forever, watch.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := watch.NewGuard(watchtest.NewIsolate())
				time.Sleep(time.Second)
				if g.Now() != now {
					t.Fatalf("the clock shows %d", g.Now())
				}
				ctx := context.Background()
				if c.ctx != nil {
					timed, cancel := context.WithDeadline(ctx, time.Now().Add(*c.ctx))
					defer cancel()
					ctx = timed
				}
				deadline := g.Limit(ctx, g.Now(), c.timeout)
				if deadline != c.want {
					t.Errorf("deadline %d, want %d", deadline, c.want)
				}
				g.Arm(deadline)
				g.Fire(deadline)
				if got := g.Disarm(); got != c.cause {
					t.Errorf("cause %d, want %d", got, c.cause)
				}
			})
		})
	}
}

// The clock starts above 0, which is the idle word.
func TestClockStartsAtOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := watch.NewGuard(watchtest.NewIsolate())
		if g.Now() != 1 {
			t.Errorf("the clock starts at %d", g.Now())
		}
	})
}

// A deadline of the wall clock alone counts as well.
func TestLimitWallClock(t *testing.T) {
	g := watch.NewGuard(watchtest.NewIsolate())
	at := time.Now().Add(time.Hour).Round(0) // without its monotonic part
	ctx, cancel := context.WithDeadline(t.Context(), at)
	defer cancel()
	start := g.Now()
	left := time.Duration(g.Limit(ctx, start, 0) - start)
	if left < 50*time.Minute || left > 70*time.Minute {
		t.Errorf("%v left, want about an hour", left)
	}
}
