package ddsa

import (
	"context"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

// cycle is what watching costs one execution.
func cycle(t testing.TB, w *watchdog, guard *watch.Guard, ctx context.Context) {
	guard.Bind(ctx)
	if err := w.Arm(guard.Limit(ctx, guard.Now(), 2*time.Second)); err != nil {
		t.Fatal(err)
	}
	if guard.StopIfDone(ctx) || w.Disarm() != watch.None {
		t.Fatal("stopped")
	}
}

func benchmark(b *testing.B, f func(*watchdog, *watch.Guard)) {
	guard := watch.NewGuard(watchtest.NewIsolate())
	w, err := newWatchdog(guard, osthread.Starter{}.Start)
	if err != nil {
		b.Fatal(err)
	}
	defer guard.Close()
	defer w.Close()
	b.ReportAllocs()
	for b.Loop() {
		f(w, guard)
	}
}

// BenchmarkExecution has all of it: the clock, the limit, the context.
func BenchmarkExecution(b *testing.B) {
	ctx := b.Context()
	benchmark(b, func(w *watchdog, guard *watch.Guard) { cycle(b, w, guard, ctx) })
}

func BenchmarkArmDisarm(b *testing.B) {
	benchmark(b, func(w *watchdog, guard *watch.Guard) {
		_ = w.Arm(guard.Now() + int64(2*time.Second))
		w.Disarm()
	})
}

func BenchmarkArmDisarmWithoutClock(b *testing.B) {
	benchmark(b, func(w *watchdog, _ *watch.Guard) {
		_ = w.Arm(int64(time.Hour))
		w.Disarm()
	})
}
