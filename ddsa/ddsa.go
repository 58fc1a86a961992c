package ddsa

import (
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/jsrt"
	"github.com/ddsabench/ddsabench/internal/osthread"
	"github.com/ddsabench/ddsabench/internal/watch"
)

// Name is the executor's name.
const Name = "ddsa"

// New returns an executor with one watchdog thread for all its executions.
func New(limits executor.Limits) (executor.Executor, error) {
	return newExecutor(limits, osthread.Starter{Name: "ddsa-watchdog"}.Start)
}

func newExecutor(limits executor.Limits, start watch.Starter) (executor.Executor, error) {
	return jsrt.New(Name, limits, func(guard *watch.Guard) (watch.Watchdog, error) {
		return newWatchdog(guard, start)
	})
}
