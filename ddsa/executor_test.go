package ddsa

import (
	"errors"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/internal/osthread"
)

func TestExecutor(t *testing.T) { executortest.Run(t, New) }

func TestStress(t *testing.T) { executortest.Stress(t, New) }

// One thread for all executions, from New to Close.
func TestThreads(t *testing.T) {
	const n = 100_000
	open, closed := executortest.Threads(t, New, n)
	if open.Executions != n || open.WatchdogsStarted != 1 || open.WatchdogsEnded != 0 {
		t.Errorf("%+v", open)
	}
	if closed.WatchdogsStarted != 1 || closed.WatchdogsEnded != 1 {
		t.Errorf("after Close: %+v", closed)
	}
}

// The real pthread_create refuses, because of an absurd stack size: there is no
// executor, and the next one is fine.
func TestNoThread(t *testing.T) {
	for range 3 {
		e, err := newExecutor(executor.DefaultLimits(), osthread.Starter{StackSize: 1 << 62}.Start)
		if e != nil || !errors.Is(err, executor.ErrNoWatchdog) {
			t.Errorf("executor %v, error %v", e, err)
		}
	}
	e, err := New(executor.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func BenchmarkNoop(b *testing.B) { executortest.BenchmarkNoop(b, New) }
