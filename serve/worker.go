package serve

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// runtimes are the executors that each worker has one of.
var runtimes = []flags.Runtime{flags.Legacy, flags.DDSA}

var (
	errFull     = errors.New("the queue is full")
	errUnread   = errors.New("too much has been answered that clients have not read yet")
	errPanicked = errors.New("internal error")
)

// A job is a task on its way through the queue. The worker closes done when
// results and err are there.
type job struct {
	ctx     context.Context
	task    *task
	program *Program
	// key decides who answers, which the worker does when it begins: nil before.
	key      string
	decision atomic.Pointer[flags.Decision]
	done     chan struct{}
	results  []executor.PairResult
	err      error
}

// workers run jobs, each on an OS thread of its own with a runner for each
// executor.
type workers struct {
	config *Config
	jobs   chan *job
	done   sync.WaitGroup
	// stopped is closed first, so that nothing is put into jobs afterwards.
	stopped  chan struct{}
	sending  sync.RWMutex
	busy     atomic.Int64
	took     atomic.Int64 // a moving mean of a job's time, in nanoseconds
	observe  func(flags.Runtime, *executor.PairResult)
	panicked atomic.Uint64
	unusable unusable

	mu   sync.Mutex
	live map[Runner]flags.Runtime
	past map[flags.Runtime]executor.Stats // of runners that were replaced
	err  error                            // from closing runners
}

// startWorkers makes all runners before it returns.
func startWorkers(c *Config, observe func(flags.Runtime, *executor.PairResult)) (*workers, error) {
	w := &workers{
		config: c, jobs: make(chan *job, c.Queue), stopped: make(chan struct{}), observe: observe,
		live: map[Runner]flags.Runtime{}, past: map[flags.Runtime]executor.Stats{},
	}
	made := make(chan error)
	for range c.Workers {
		w.done.Go(func() { w.work(made) })
	}
	var errs error
	for range c.Workers {
		errs = errors.Join(errs, <-made)
	}
	if errs != nil {
		return nil, errors.Join(errs, w.close())
	}
	return w, nil
}

// put hands a job over, or says that the queue is full.
func (w *workers) put(j *job) error {
	w.sending.RLock()
	defer w.sending.RUnlock()
	select {
	case <-w.stopped:
		return errFull
	default:
	}
	select {
	case w.jobs <- j:
		return nil
	default:
		return errFull
	}
}

// close lets the jobs that wait come to their end, as their contexts make them,
// and closes the runners.
func (w *workers) close() error {
	w.sending.Lock()
	close(w.stopped)
	close(w.jobs)
	w.sending.Unlock()
	w.done.Wait()
	return w.err
}

// retryAfter is about when the queue has room again, in seconds.
func (w *workers) retryAfter() int {
	wait := time.Duration(w.took.Load()) * time.Duration(len(w.jobs)) / time.Duration(w.config.Workers)
	return min(1+int(wait/time.Second), 60)
}

func (w *workers) work(made chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runners := map[flags.Runtime]Runner{}
	defer func() {
		for _, r := range runners {
			w.end(r)
		}
	}()
	for _, kind := range runtimes {
		r, err := w.start(kind)
		if err != nil {
			made <- err
			return
		}
		runners[kind] = r
	}
	made <- nil
	for j := range w.jobs {
		w.run(j, runners)
	}
}

func (w *workers) start(kind flags.Runtime) (Runner, error) {
	var r Runner
	err := quietly(func() (err error) {
		r, err = w.config.NewRunner(kind, w.config.Limits)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("serve: runner %s: %w", kind, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.live[r] = kind
	return r, nil
}

// end closes a runner, which may have panicked.
func (w *workers) end(r Runner) {
	var last executor.Stats
	err := errors.Join(quietly(r.Close), quietly(func() error {
		last = r.Stats()
		return nil
	}))
	w.mu.Lock()
	defer w.mu.Unlock()
	kind := w.live[r]
	delete(w.live, r)
	sum := w.past[kind]
	sum.Add(last)
	w.past[kind] = sum
	w.err = errors.Join(w.err, err)
}

// run does one job. A runner that panicked, or could not be made anew after a
// panic, is replaced before it is used again.
func (w *workers) run(j *job, runners map[flags.Runtime]Runner) {
	defer close(j.done)
	defer j.program.release()
	if j.err = j.ctx.Err(); j.err != nil {
		return // it waited too long
	}
	w.busy.Add(1)
	defer w.busy.Add(-1)
	// Who answers is decided as late as can be, so that a kill reaches all that
	// wait.
	decision := w.config.Flag.Evaluate(j.key)
	j.decision.Store(&decision)
	kind := decision.Value
	r := runners[kind]
	if r == nil {
		if r, j.err = w.start(kind); j.err != nil {
			j.err = fmt.Errorf("%w: %w", executor.ErrUnusable, j.err)
			w.unusable.note(true, time.Now())
			return
		}
		runners[kind] = r
	}
	start := time.Now()
	if !w.call(j, r) {
		delete(runners, kind)
		w.end(r)
		return
	}
	w.unusable.note(errors.Is(j.err, executor.ErrUnusable), time.Now())
	w.took.Store((7*w.took.Load() + int64(time.Since(start))) / 8)
	logDeaths(w.config.Log, kind, j)
	for i := range j.results {
		w.observe(kind, &j.results[i])
	}
}

// call reports whether the runner is still good.
func (w *workers) call(j *job, r Runner) (good bool) {
	defer func() {
		if value := recover(); value != nil {
			w.panicked.Add(1)
			w.config.Log.Error("panic on a worker", "value", panicKind(value), "stack", string(debug.Stack()))
			j.results, j.err = nil, errPanicked
		}
	}()
	j.results, j.err = r.Run(j.ctx, j.program, j.task.path, j.task.language, j.task.text)
	return true
}

// stats is the sum of all runners' counts, how many there are, and how many of
// them have a worker process.
func (w *workers) stats() (sums map[flags.Runtime]executor.Stats, live, processes map[flags.Runtime]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sums = map[flags.Runtime]executor.Stats{}
	live, processes = map[flags.Runtime]int{}, map[flags.Runtime]int{}
	for _, kind := range runtimes {
		sums[kind] = w.past[kind]
	}
	for r, kind := range w.live {
		sum := sums[kind]
		sum.Add(r.Stats())
		sums[kind] = sum
		live[kind]++
		if p, ok := r.(processRunner); ok && p.alive() {
			processes[kind]++
		}
	}
	return sums, live, processes
}

// resident is the memory of all runners' worker processes, in bytes.
func (w *workers) resident() map[flags.Runtime]uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	sums := map[flags.Runtime]uint64{}
	for r, kind := range w.live {
		sums[kind] += resident(r)
	}
	return sums
}
