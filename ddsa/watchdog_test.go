package ddsa

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newTestDog(guard *watch.Guard, start watch.Starter) (watch.Watchdog, error) {
	return newWatchdog(guard, start)
}

func TestWatchdog(t *testing.T) { watchtest.Watchdog(t, newTestDog) }

func TestWatchdogHammer(t *testing.T) {
	watchtest.Hammer(t, newTestDog, osthread.Starter{}.Start, time.Second)
}

func TestWatchdogHasOneThread(t *testing.T) {
	r := watchtest.NewRuntime(t, newTestDog, nil)
	for i := range 1000 {
		r.Execute(t.Context(), time.Duration(i%2)*time.Hour, 0)
	}
	if started, ended := r.Dog.Threads(); started != 1 || ended != 0 {
		t.Errorf("%d threads started, %d ended, want 1 and 0", started, ended)
	}
	r.Close()
	if started, _, _ := r.Threads.Counts(); started != 1 {
		t.Errorf("%d threads, want 1", started)
	}
}

func TestWatchdogThreadRefused(t *testing.T) {
	guard := watch.NewGuard(watchtest.NewIsolate())
	defer guard.Close()
	if _, err := newWatchdog(guard, osthread.Starter{StackSize: 1 << 62}.Start); !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("error %v, want EAGAIN", err)
	}
}

// unstarted is a watchdog whose thread does nothing, so that a test can take
// the thread's steps one by one.
func unstarted(t *testing.T) (*watchdog, *watch.Guard) {
	guard := watch.NewGuard(watchtest.NewIsolate())
	w, err := newWatchdog(guard, func(func()) (watch.Thread, error) { return idleThread{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(); guard.Close() })
	return w, guard
}

type idleThread struct{}

func (idleThread) Join() {}

// An execution is armed after the thread has looked and before it has said how
// long it sleeps: the execution cannot know, so the thread must look again.
func TestArmedBetweenLookAndSleep(t *testing.T) {
	w, guard := unstarted(t)
	at := w.look(watch.Forever)
	if at != watch.Forever {
		t.Fatalf("an idle watchdog sleeps until %d", at)
	}
	soon := guard.Now() + int64(time.Hour)
	if err := w.Arm(soon); err != nil {
		t.Fatal(err)
	}
	if w.settle(at) {
		t.Error("the thread sleeps past the deadline")
	}
	if got := w.look(watch.Forever); got != soon {
		t.Errorf("the thread sleeps until %d, want %d", got, soon)
	}
}

// An execution arms while the thread goes to sleep: whichever comes first, the
// thread must learn of the deadline.
func TestArmMeetsSleep(t *testing.T) {
	w, guard := unstarted(t)
	asleep := false
	watchtest.Race(time.Second/2, func() {
		if err := w.Arm(int64(time.Hour)); err != nil {
			t.Error(err)
		}
	}, func() {
		asleep = w.settle(watch.Forever)
	}, func() bool {
		if asleep && len(w.wake) == 0 {
			t.Error("the thread sleeps, and nobody will wake it")
		}
		for len(w.wake) > 0 {
			<-w.wake
		}
		guard.Disarm()
		w.next.Store(0)
		return !asleep
	})
}

func TestFiresAtTheDeadlineNotBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, guard := unstarted(t)
		deadline := guard.Limit(t.Context(), guard.Now(), time.Nanosecond)
		if err := w.Arm(deadline); err != nil {
			t.Fatal(err)
		}
		if at := w.look(watch.Forever); at != deadline || guard.Armed() != deadline {
			t.Errorf("looks again at %d, want %d", at, deadline)
		}
		time.Sleep(time.Nanosecond)
		w.look(watch.Forever)
		if got := w.Disarm(); got != watch.Timeout {
			t.Errorf("verdict %d, want timeout", got)
		}
	})
}

// Executions that are over before the thread comes must not make it sleep
// forever, or each of them would wake it.
func TestNotWokenPerExecution(t *testing.T) {
	w, guard := unstarted(t)
	w.settle(w.look(watch.Forever))
	run := func() {
		if err := w.Arm(guard.Now() + int64(time.Hour)); err != nil {
			t.Fatal(err)
		}
		w.Disarm()
	}
	run()
	if len(w.wake) != 1 {
		t.Fatal("the first execution did not wake the thread")
	}
	if !w.settle(w.look(<-w.wake)) {
		t.Fatal("the thread does not sleep")
	}
	for range 1000 {
		run()
		if err := w.Arm(watch.Forever); err != nil {
			t.Fatal(err)
		}
		w.Disarm()
	}
	if len(w.wake) != 0 {
		t.Error("the thread was woken for a later deadline")
	}
}
