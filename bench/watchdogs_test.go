package bench

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/jsrt"
	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/internal/watch/watchtest"
	"github.com/ddsabench/ddsabench/legacy"
)

// A watchdog is a way to watch executions, by name.
type watchdog struct {
	name        string
	newExecutor func(executor.Limits) (executor.Executor, error)
}

// none is the reference: the same code, clock readings included, without arm
// and disarm.
var none = watchdog{ddsabench.None, func(l executor.Limits) (executor.Executor, error) {
	return ddsabench.NewArm(ddsabench.None, l)
}}

// watchdogs are all of them, the reference first: those that leave other threads
// alone, and those that wake or start one for each execution.
var (
	quick = []watchdog{
		none,
		{ddsa.Name, ddsa.New},
		ours("afterfunc", newAfterFunc),
	}
	waking = []watchdog{
		{legacy.Name, legacy.New},
		ours("goroutine", newPerExecution),
		ours("woken", func(guard *watch.Guard) (watch.Watchdog, error) {
			return newWoken(guard, osthread.Starter{Name: "woken-watchdog"}.Start)
		}),
	}
	watchdogs = slices.Concat(quick, waking)
)

// ours is a watchdog of this package, on the runtime that all executors share.
func ours(name string, newDog func(*watch.Guard) (watch.Watchdog, error)) watchdog {
	return watchdog{name, func(l executor.Limits) (executor.Executor, error) { return jsrt.New(name, l, newDog) }}
}

// The straight port holds all that the executors' own watchdogs hold.
func TestWoken(t *testing.T) { watchtest.Watchdog(t, newWoken) }

// None of this package's watchdogs kills the wrong execution: they lose against
// ddsa's by their cost, not by being wrong.
func TestWatchdogsHammer(t *testing.T) {
	threadless := func(newDog func(*watch.Guard) (watch.Watchdog, error)) watchtest.NewWatchdog {
		return func(guard *watch.Guard, _ watch.Starter) (watch.Watchdog, error) { return newDog(guard) }
	}
	for name, newDog := range map[string]watchtest.NewWatchdog{
		"afterfunc": threadless(newAfterFunc),
		"goroutine": threadless(newPerExecution),
		"woken":     newWoken,
	} {
		t.Run(name, func(t *testing.T) {
			watchtest.Hammer(t, newDog, osthread.Starter{}.Start, time.Second/2)
		})
	}
}

// Every watchdog but the reference stops an endless script, and the next
// execution is as good as new.
func TestWatchdogsStop(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = 20 * time.Millisecond
	endless := &executor.Rule{Name: "bench/endless", Language: executor.JavaScript, Code: "function visit() { for (;;); }"}
	for _, dog := range watchdogs[1:] {
		t.Run(dog.name, func(t *testing.T) {
			e, err := dog.newExecutor(limits)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			for range 3 {
				if _, err := e.Execute(t.Context(), endless, noop.file); !errors.Is(err, executor.ErrTimeout) {
					t.Errorf("error %v, want a timeout", err)
				}
				// Its limit is 20 ms too; on a busy machine it may not get to run for as long.
				if _, err := e.Execute(t.Context(), noop.rule, noop.file); err != nil && !errors.Is(err, executor.ErrTimeout) {
					t.Error(err)
				}
			}
		})
	}
}
