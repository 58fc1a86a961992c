// Package watchtest has what tests of watchdogs need in the place of V8 and of
// threads, and the suite that both watchdogs pass.
package watchtest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// endless is the length of a script that does not end by itself.
const endless = 24 * time.Hour

// limit is a time limit where no other one is said.
const limit = 10 * time.Millisecond

// Watchdog checks what both watchdogs must hold, on a fake clock, with a fake
// isolate and goroutines in the place of threads.
func Watchdog(t *testing.T, newDog NewWatchdog) {
	t.Run("sequences", func(t *testing.T) { sequences(t, newDog) })

	bubble := func(name string, f func(*testing.T, *Runtime)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := NewRuntime(t, newDog, nil)
				defer r.Close()
				f(t, r)
			})
		})
	}
	bubble("small share of the budget", smallShare)
	bubble("ends exactly at the deadline", atTheDeadline)
	bubble("context cancelled", contextCancelled)
	bubble("context's deadline", contextDeadline)
	bubble("idle context cancelled", idleContext)
	bubble("cancelled before arm", cancelledBeforeArm)
	bubble("memory", memory)
	bubble("closed while running", closedRunning)
	bubble("closed while idle", closedIdle)
	bubble("arm after close", armAfterClose)

	t.Run("already due", func(t *testing.T) { alreadyDue(t, newDog) })
	t.Run("thread refused", func(t *testing.T) { threadRefused(t, newDog) })
}

// sequences runs executions one after another; each takes exactly as long as
// its script or its timeout.
func sequences(t *testing.T, newDog NewWatchdog) {
	const ms = time.Millisecond
	type step struct {
		pause, timeout, length time.Duration
		want                   watch.Cause
	}
	const timeout = watch.Timeout
	for name, steps := range map[string][]step{
		"timeout then timeout":     {{0, 10 * ms, endless, timeout}, {0, 10 * ms, endless, timeout}},
		"none then timeout":        {{0, 10 * ms, 5 * ms, 0}, {0, 10 * ms, endless, timeout}},
		"timeout then none":        {{0, 10 * ms, endless, timeout}, {0, 10 * ms, 9 * ms, 0}, {0, 10 * ms, 9 * ms, 0}},
		"none then none":           {{0, 10 * ms, 9 * ms, 0}, {0, 10 * ms, 9 * ms, 0}, {0, 10 * ms, 9 * ms, 0}},
		"earlier deadline":         {{0, time.Hour, ms, 0}, {0, 10 * ms, endless, timeout}, {0, time.Hour, 20 * ms, 0}},
		"earlier within a timeout": {{0, 100 * ms, ms, 0}, {0, 90 * ms, ms, 0}, {0, ms, endless, timeout}},
		"later deadline":           {{0, 10 * ms, ms, 0}, {0, time.Hour, time.Minute, 0}, {0, 10 * ms, endless, timeout}},
		"after a pause":            {{0, 10 * ms, ms, 0}, {50 * ms, 10 * ms, 9 * ms, 0}, {50 * ms, 10 * ms, endless, timeout}},
		"pause to the deadline":    {{0, 10 * ms, ms, 0}, {9 * ms, 10 * ms, endless, timeout}},
		"no limit":                 {{0, 0, time.Hour, 0}, {0, 10 * ms, endless, timeout}, {0, 0, time.Hour, 0}},
		"longest limit":            {{0, 1<<63 - 1, time.Hour, 0}, {0, 10 * ms, endless, timeout}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := NewRuntime(t, newDog, nil)
				defer r.Close()
				for i, s := range steps {
					time.Sleep(s.pause)
					start := time.Now()
					if got := r.Execute(t.Context(), s.timeout, s.length); got != s.want {
						t.Errorf("step %d: verdict %d, want %d", i, got, s.want)
					}
					took, want := time.Since(start), s.length
					if s.want == timeout {
						want = s.timeout
					}
					if took != want {
						t.Errorf("step %d took %v, want %v", i, took, want)
					}
				}
			})
		})
	}
}

func smallShare(t *testing.T, r *Runtime) {
	const budget = 100 * time.Millisecond
	for i := range 2000 {
		length := budget * time.Duration(1+i%5) / 100
		if got := r.Execute(t.Context(), budget, length); got != watch.None {
			t.Fatalf("run %d of %v under a limit of %v: verdict %d", i, length, budget, got)
		}
	}
}

// atTheDeadline: either verdict is right for a run that ends at its deadline,
// but the runs that follow must not notice.
func atTheDeadline(t *testing.T, r *Runtime) {
	for i := range 500 {
		if got := r.Execute(t.Context(), limit, limit); got != watch.None && got != watch.Timeout {
			t.Errorf("run %d: verdict %d", i, got)
		}
		for range 3 {
			if got := r.Execute(t.Context(), limit, limit/3); got != watch.None {
				t.Errorf("neighbour of run %d: verdict %d", i, got)
			}
		}
	}
}

// alreadyDue: the deadline has passed before Arm (a query took the time), and
// the thread gets as far as it can before its starter hears of it.
func alreadyDue(t *testing.T, newDog NewWatchdog) {
	synctest.Test(t, func(t *testing.T) {
		var threads Threads
		r := NewRuntime(t, newDog, func(body func()) (watch.Thread, error) {
			defer synctest.Wait()
			return threads.Start(body)
		})
		defer r.Close()
		time.Sleep(limit)
		for range 3 {
			r.Isolate.Begin()
			r.Guard.Limit(t.Context(), 1, 1)
			if err := r.Dog.Arm(2); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			r.Isolate.Run(endless)
			if got := r.Dog.Disarm(); got != watch.Timeout || time.Since(start) != 0 {
				t.Errorf("verdict %d after %v, want a timeout at once", got, time.Since(start))
			}
			r.Isolate.End()
		}
	})
}

func armAfterClose(t *testing.T, r *Runtime) {
	r.Dog.Close()
	if err := r.Dog.Arm(watch.Forever); err == nil {
		t.Error("armed a closed watchdog: the script would run unwatched")
	}
	if r.Guard.Armed() != 0 {
		t.Error("the guard is armed")
	}
}

// threadRefused: the error comes from the constructor or from Arm.
func threadRefused(t *testing.T, newDog NewWatchdog) {
	refusal := errors.New("no thread")
	iso := NewIsolate()
	guard := watch.NewGuard(iso)
	defer guard.Close()
	threads := Threads{Refuse: refusal}
	dog, err := newDog(guard, threads.Start)
	if err == nil {
		defer dog.Close()
		err = dog.Arm(guard.Limit(context.Background(), guard.Now(), time.Second))
	}
	if !errors.Is(err, refusal) {
		t.Errorf("error %v, want it to wrap %v", err, refusal)
	}
	if guard.Armed() != 0 || guard.Stop(watch.Memory) {
		t.Error("the guard is armed")
	}
}
