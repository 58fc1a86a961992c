package executortest

import (
	"os"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// Threads runs n executions and checks that the process has not got more
// threads by it. It returns the counts before and after Close.
func Threads(t *testing.T, newExecutor New, n int) (open, closed executor.Stats) {
	e, err := newExecutor(executor.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{e, t}
	file := one("good.js")
	run := func(n int) int {
		for range n {
			s.wantShown(endlessRule, file, "good")
		}
		return liveThreads(t)
	}
	// Go starts threads when it needs them, and keeps them.
	const few = 10
	before := run(n / 10)
	if after := run(n - n/10); after > before+few {
		t.Errorf("%d threads, before it were %d", after, before)
	}
	open = s.Stats()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return open, s.Stats()
}

// liveThreads counts this process's threads.
func liveThreads(t *testing.T) int {
	t.Helper()
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	return len(tasks)
}
