// Package jsrt is the JavaScript runtime that all executors share: one isolate,
// rules compiled once in contexts of their own, the bridge between a rule and
// its file. Who watches an execution is given to it; nothing here asks which
// watchdog that is, so that the executors differ in nothing else.
package jsrt

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/v8"
	"github.com/ddsabench/ddsabench/internal/watch"
)

// A Runtime is an executor.Executor.
type Runtime struct {
	name     string
	limits   executor.Limits
	isolate  *v8.Isolate
	guard    *watch.Guard
	watchdog watch.Watchdog

	// running is held by the goroutine that executes, and by Close.
	running  sync.Mutex
	closing  atomic.Bool
	close    func() error
	programs map[*executor.Rule]*program
	tampered map[*executor.Rule]bool // rules that have changed intrinsics
	nearHeap bool                    // the heap limit was raised during this execution
	seen     uint64                  // the File.ID that the memory describes
	textID   uint64                  // grows with each file
	nodesAt  int                     // where a run's nodes begin in the memory

	executions atomic.Uint64
	outcomes   [executor.OutcomeCount]atomic.Uint64
}

var _ executor.Executor = (*Runtime)(nil)

// New makes a runtime called name, watched by what watchdog makes.
func New(name string, limits executor.Limits, watchdog func(*watch.Guard) (watch.Watchdog, error)) (executor.Executor, error) {
	if err := limits.Check(); err != nil {
		return nil, err
	}
	r := &Runtime{
		name:     name,
		limits:   limits,
		programs: map[*executor.Rule]*program{},
		tampered: map[*executor.Rule]bool{},
	}
	r.close = sync.OnceValue(r.dispose)
	var err error
	r.isolate, err = v8.NewIsolate(v8.Options{
		Heap:          limits.Heap,
		Buffers:       limits.Buffers,
		Memory:        maxMemory,
		Setup:         contextSetup(),
		NearHeapLimit: r.nearHeapLimit,
	})
	if err != nil {
		return nil, fmt.Errorf("start a JavaScript runtime: %w", err)
	}
	r.guard = watch.NewGuard(r.isolate)
	if r.watchdog, err = watchdog(r.guard); err != nil {
		_ = r.isolate.Dispose() // nobody else has seen it
		return nil, &executor.Error{Outcome: executor.NoWatchdog, Err: err}
	}
	return r, nil
}

// nearHeapLimit runs on the executing thread, inside V8.
func (r *Runtime) nearHeapLimit() {
	r.nearHeap = true
	r.guard.Stop(watch.Memory)
}

// Name implements executor.Executor.
func (r *Runtime) Name() string { return r.name }

// Stats implements executor.Executor.
func (r *Runtime) Stats() executor.Stats {
	var s executor.Stats
	s.Executions = r.executions.Load()
	for i := range r.outcomes {
		s.Outcomes[i] = r.outcomes[i].Load()
	}
	s.WatchdogsStarted, s.WatchdogsEnded = r.watchdog.Threads()
	return s
}

// Close implements executor.Executor.
func (r *Runtime) Close() error { return r.close() }

func (r *Runtime) dispose() error {
	r.closing.Store(true)
	r.guard.Stop(watch.Closed) // lasts: no later execution gets by it
	r.running.Lock()
	defer r.running.Unlock()
	r.watchdog.Close()
	r.guard.Close() // from here on nobody terminates
	for rule := range r.programs {
		r.drop(rule)
	}
	return r.isolate.Dispose()
}

// TextsMade is how often a file's text was copied into V8.
func (r *Runtime) TextsMade() uint64 { return r.isolate.TextsMade() }
