package legacy

import (
	"errors"
	"syscall"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
)

func TestExecutor(t *testing.T) { executortest.Run(t, New) }

func TestStress(t *testing.T) { executortest.Stress(t, New) }

// One thread per execution, which is gone when the execution is over.
func TestThreads(t *testing.T) {
	const n = 20_000
	open, closed := executortest.Threads(t, New, n)
	for _, s := range []executor.Stats{open, closed} {
		if s.Executions != n || s.WatchdogsStarted != n || s.WatchdogsEnded != n {
			t.Errorf("%+v, want %d of each", s, n)
		}
	}
}

// The real pthread_create refuses, because of an absurd stack size. The script
// does not run, and the executor can be used again when there are threads.
func TestNoThread(t *testing.T) {
	refuse := false
	e, err := newExecutor(executor.DefaultLimits(), func(body func()) (watch.Thread, error) {
		if refuse {
			return osthread.Starter{StackSize: 1 << 62}.Start(body)
		}
		return osthread.Starter{}.Start(body)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// It would end as a script error.
	rule := &executor.Rule{Name: "set/rule", Code: "throw 'ran'; function visit() {}"}
	file := executortest.NewFile("a.js", "x", executortest.Match{})
	for i, want := range []error{executor.ErrScript, executor.ErrNoWatchdog, executor.ErrNoWatchdog, executor.ErrScript} {
		refuse = want == executor.ErrNoWatchdog
		res, err := e.Execute(t.Context(), rule, file)
		var failure *executor.Error
		if !errors.Is(err, want) || !errors.As(err, &failure) || failure.Rule != "set/rule" || failure.File != "a.js" {
			t.Errorf("execution %d: %v, want %v", i, err, want)
		}
		if refuse && (res.Entered || !errors.Is(err, syscall.EAGAIN)) {
			t.Errorf("execution %d: result %+v, error %v", i, res, err)
		}
	}
	s := e.Stats()
	if s.Executions != 2 || s.WatchdogsStarted != 2 || s.WatchdogsEnded != 2 || s.Outcomes[executor.NoWatchdog] != 2 {
		t.Errorf("%+v", s)
	}
}

func BenchmarkNoop(b *testing.B) { executortest.BenchmarkNoop(b, New) }
