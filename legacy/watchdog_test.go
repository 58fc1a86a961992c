package legacy

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newTestDog(guard *watch.Guard, start watch.Starter) (watch.Watchdog, error) {
	return newWatchdog(guard, start), nil
}

func TestWatchdog(t *testing.T) { watchtest.Watchdog(t, newTestDog) }

func TestWatchdogHammer(t *testing.T) {
	watchtest.Hammer(t, newTestDog, osthread.Starter{}.Start, time.Second)
}

// Each execution has its thread, one without a limit too, and it has ended when
// the verdict is there.
func TestWatchdogHasAThreadPerExecution(t *testing.T) {
	r := watchtest.NewRuntime(t, newTestDog, nil)
	defer r.Close()
	for i := 1; i <= 1000; i++ {
		r.Execute(t.Context(), time.Duration(i%2)*time.Hour, 0)
		if n, live, _ := r.Threads.Counts(); n != i || live != 0 {
			t.Fatalf("%d executions: %d threads started, %d left", i, n, live)
		}
		if started, ended := r.Dog.Threads(); started != uint64(i) || ended != started {
			t.Fatalf("%d executions: %d threads started, %d ended", i, started, ended)
		}
	}
}

// A refused thread is the error of that execution and of no other.
func TestWatchdogThreadRefused(t *testing.T) {
	refuse := false
	r := watchtest.NewRuntime(t, newTestDog, func(body func()) (watch.Thread, error) {
		if refuse {
			return osthread.Starter{StackSize: 1 << 62}.Start(body)
		}
		return osthread.Starter{}.Start(body)
	})
	defer r.Close()
	for _, refuse = range []bool{false, true, false} {
		if !refuse {
			if got := r.Execute(t.Context(), time.Minute, 0); got != watch.None {
				t.Errorf("verdict %d", got)
			}
			continue
		}
		if err := r.Dog.Arm(r.Guard.Now() + int64(time.Minute)); !errors.Is(err, syscall.EAGAIN) {
			t.Errorf("error %v, want EAGAIN", err)
		}
		if r.Guard.Armed() != 0 {
			t.Error("the guard is armed")
		}
	}
}

func BenchmarkArmDisarm(b *testing.B) {
	guard := watch.NewGuard(watchtest.NewIsolate())
	defer guard.Close()
	w := newWatchdog(guard, osthread.Starter{}.Start)
	defer w.Close()
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Arm(guard.Now() + int64(2*time.Second)); err != nil {
			b.Fatal(err)
		}
		w.Disarm()
	}
}
