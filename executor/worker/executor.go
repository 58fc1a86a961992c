//go:build linux

package worker

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Options say what kind of worker processes an executor has. Start from
// DefaultOptions.
type Options struct {
	// Executor is the name of the executor in the worker.
	Executor string
	Limits   executor.Limits
	// Rules are the rules that will run. A file's list may have others: the
	// worker then makes a parser for that list.
	Rules []*executor.Rule
	// Parsing is handed to Program.NewParser.
	Parsing []byte
	// Grace is how long after its time limit an execution may still be running
	// before the worker is killed.
	Grace time.Duration
	// ParseLimit is the same for parsing a file and finding its matches, with a
	// second for each MB on top; 0 means none.
	ParseLimit time.Duration
	// Ceiling is how much memory a worker may have in use, in bytes.
	Ceiling uint64
	// Background gives the workers a tenth of the processor time that others
	// get where there is not enough for all (a nice value of 10). Time limits
	// stay those of the clock.
	Background bool
}

// DefaultOptions are the options of a named executor with limits.
func DefaultOptions(name string, limits executor.Limits) Options {
	return Options{
		Executor:   name,
		Limits:     limits,
		Grace:      250 * time.Millisecond,
		ParseLimit: 6 * time.Second, // the parser stops itself after 5
		Ceiling:    limits.Heap + limits.Buffers + 512<<20,
	}
}

// ErrNoMain means that the program cannot start workers, because its main
// function does not call Main.
var ErrNoMain = errors.New("worker: this program cannot be its own worker: call ddsabench.WorkerMain first thing in main and TestMain")

// An Executor runs rules in a worker process, of which it has one at a time.
// It is an executor.FileExecutor.
type Executor struct {
	options Options

	// running is held by the goroutine that runs a file, and by Close.
	running sync.Mutex
	closing atomic.Bool
	close   func() error
	sets    []*ruleSet
	seq     uint64
	clock   clock
	gaveUp  *StartError // why there was no worker
	retryAt time.Time   // when to try again
	out     []byte      // reused
	asked   request     // reused
	last    numbered

	mu      sync.Mutex // what follows
	process *process   // nil if none
	stats   executor.Stats
	// accepted is how many executions of the present process are in stats.
	accepted uint64
	// unsettled is how many executions the last process had entered that are
	// not in stats. They count if nobody does them again.
	unsettled uint64
	shown     uint64 // the most executions that Stats told
}

var _ executor.FileExecutor = (*Executor)(nil)

// New starts a worker and waits until it is ready. The error is ErrNoMain, a
// *StartError, or says what is wrong with the options.
func New(o Options) (*Executor, error) {
	if program == nil {
		return nil, ErrNoMain
	}
	if err := o.Limits.Check(); err != nil {
		return nil, err
	}
	e := &Executor{options: o, sets: []*ruleSet{newRuleSet(0, o.Rules)}, clock: newClock()}
	e.close = sync.OnceValue(e.end)
	launch.open()
	if _, err := e.ready(context.Background()); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Name implements executor.Executor: it is the name of the executor in the
// worker.
func (e *Executor) Name() string { return e.options.Executor }

// PID is the process ID of the present worker, 0 if there is none. It may be
// called from any goroutine.
func (e *Executor) PID() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.process == nil {
		return 0
	}
	return e.process.process.Pid
}

// Resident is how many bytes of memory the present worker has in use, 0 if there
// is none. It may be called from any goroutine, and waits for nothing.
func (e *Executor) Resident() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.process == nil {
		return 0
	}
	return e.process.resident()
}

// Execute implements executor.Executor. The worker parses the file, unless it
// did so for the last execution; for a list of rules, executor.ExecuteFile is
// the quicker way.
func (e *Executor) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	result, err := executor.ExecuteFile(ctx, e, file, []*executor.Rule{rule})
	failure := &executor.Error{Outcome: executor.Internal, Err: err}
	switch own, ok := result.Err.(*executor.Error); {
	case errors.Is(err, executor.ErrBusy):
		failure = &executor.Error{Outcome: executor.Busy}
	case errors.Is(err, executor.ErrClosed):
		failure = &executor.Error{Outcome: executor.Closed}
	case err != nil:
	case ok: // the worker died of parsing
		failure = &executor.Error{Outcome: own.Outcome, Elapsed: own.Elapsed, Detail: own.Detail}
	case result.Err != nil:
		failure.Err = result.Err
	default:
		return result.Results[0].Result, result.Results[0].Err
	}
	failure.Rule = rule.Name
	return executor.Result{}, e.failed(failure, file)
}

// complete adds to an error what it says of the executor and the file.
func (e *Executor) complete(err *executor.Error, file *executor.File) *executor.Error {
	err.File = file.Path
	err.Limit, err.HeapLimit = e.options.Limits.Timeout, e.options.Limits.Heap
	return err
}

// failed completes and counts an error.
func (e *Executor) failed(err *executor.Error, file *executor.File) *executor.Error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.Outcomes[err.Outcome]++
	return e.complete(err, file)
}

// count counts pairs that have their results.
func (e *Executor) count(entered, ok uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.Outcomes[executor.OK] += ok
	e.stats.Executions += entered
	e.accepted += entered
	e.unsettled = max(e.unsettled, entered) - entered
}

// enteredOnly is how many executions the present process has entered that are
// not in stats, as far as its word can be believed. mu is held.
func (e *Executor) enteredOnly() uint64 {
	entered := e.process.page.executions.Load()
	return min(max(entered, e.accepted)-e.accepted, maxPosition)
}

// giveUp counts what the last process had entered and nobody will do again.
func (e *Executor) giveUp() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stats.Executions += e.unsettled
	e.unsettled = 0
}

// Stats implements executor.Executor. An execution counts as soon as it has
// entered V8; one that took its worker with it, and was done again, counts once.
// It may be called from any goroutine, and waits for nothing.
func (e *Executor) Stats() executor.Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.stats
	if p := e.process; p != nil {
		s.Executions += e.enteredOnly()
		// In this order, and no more than were started, whatever the worker says.
		ended := p.page.watchdogsEnded.Load()
		started := p.page.watchdogsStarted.Load()
		s.WatchdogsStarted += started
		s.WatchdogsEnded += min(ended, started)
	} else {
		s.Executions += e.unsettled
	}
	// Never less than before, also while a new worker does again what the last
	// one took with it.
	e.shown = max(e.shown, s.Executions)
	s.Executions = e.shown
	return s
}

// Close implements executor.Executor: it kills the worker.
func (e *Executor) Close() error { return e.close() }

func (e *Executor) end() error {
	e.closing.Store(true)
	e.mu.Lock()
	if e.process != nil {
		e.process.kill()
	}
	e.mu.Unlock()
	e.running.Lock()
	defer e.running.Unlock()
	if e.process != nil {
		e.bury()
	}
	e.giveUp()
	launch.close()
	return nil
}
