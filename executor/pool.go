package executor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

var errGone = errors.New("executor: the function that makes a pool's executors did not return")

// A Pool runs several executors side by side, each on a worker of its own. A
// worker is a goroutine locked to one OS thread for the pool's life: there its
// executor is made, runs and is closed.
//
// All methods may be called from any goroutine.
type Pool struct {
	workers []*worker
	done    sync.WaitGroup // running workers

	mu      sync.Mutex
	current *run // nil: idle
	closed  bool
	close   func() error
}

type worker struct {
	executor Executor
	// runs holds at most one run, so that handing it over never blocks.
	runs chan *run
	err  error // from making or closing the executor
}

// NewPool starts workers and has newExecutor called once on each, one call at
// a time. If one fails, the executors already made are closed and the error is
// returned.
func NewPool(workers int, newExecutor func() (Executor, error)) (*Pool, error) {
	if workers < 1 {
		return nil, fmt.Errorf("executor: pool of %d workers; at least 1 is needed", workers)
	}
	p := &Pool{}
	p.close = sync.OnceValue(p.stop)
	for range workers {
		w := &worker{runs: make(chan *run, 1)}
		made := make(chan struct{})
		index := len(p.workers)
		p.done.Go(func() { p.work(w, index, newExecutor, made) })
		<-made
		if w.err != nil {
			return nil, errors.Join(w.err, p.Close())
		}
		p.workers = append(p.workers, w)
	}
	return p, nil
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return len(p.workers) }

// Stats returns the sum of the executors' counts.
func (p *Pool) Stats() Stats {
	var sum Stats
	for _, w := range p.workers {
		sum.Add(w.executor.Stats())
	}
	return sum
}

// Run does job and returns when the workers are idle again: nil when all files
// were emitted, ctx's error when ctx ended first, Emit's error when it gave one,
// ErrClosed when the pool was or is being closed, and ErrBusy when it is running
// another job. In each case, what was emitted is complete and in order. A pool
// can run any number of jobs, one after the other.
//
// A panic in Load or in an executor is raised again on Run's goroutine. A Load
// that ends its goroutine is a panic too, and closes the pool for further jobs.
func (p *Pool) Run(ctx context.Context, job Job) error {
	if err := job.check(); err != nil {
		return err
	}
	r := newRun(ctx, job)
	if err := p.begin(r); err != nil {
		r.cancel(err)
		return err
	}
	defer p.end(r)
	return r.emit(ctx)
}

func (p *Pool) begin(r *run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return fmt.Errorf("executor: pool: %w", ErrClosed)
	}
	if p.current != nil {
		return fmt.Errorf("executor: pool is running another job: %w", ErrBusy)
	}
	p.current = r
	r.active.Add(len(p.workers))
	for _, w := range p.workers {
		w.runs <- r
	}
	return nil
}

// end stops what is still running, waits for it, and passes on its panic.
func (p *Pool) end(r *run) {
	r.cancel(errEnded)
	r.active.Wait()
	p.mu.Lock()
	p.current = nil
	p.mu.Unlock()
	if r.panicked != nil {
		panic(r.panicked)
	}
}

// Close ends a running job with ErrClosed, closes all executors and waits for
// the workers to end. Calling it twice is fine. It must not be called from Load
// or from an executor, which it would wait for.
func (p *Pool) Close() error { return p.close() }

func (p *Pool) stop() error {
	p.mu.Lock()
	p.closed = true
	if p.current != nil {
		p.current.cancel(fmt.Errorf("executor: pool: %w", ErrClosed))
	}
	for _, w := range p.workers {
		close(w.runs)
	}
	p.mu.Unlock()
	p.done.Wait()
	var errs []error
	for _, w := range p.workers {
		errs = append(errs, w.err)
	}
	return errors.Join(errs...)
}

// work makes w's executor, reports on made, and does jobs until runs is closed.
func (p *Pool) work(w *worker, index int, newExecutor func() (Executor, error), made chan<- struct{}) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	func() {
		defer close(made)
		w.err = errGone // unless newExecutor returns
		w.executor, w.err = newExecutor()
	}()
	if w.err != nil {
		return
	}
	defer func() { w.err = w.executor.Close() }() // also when Load ended the goroutine
	for r := range w.runs {
		p.share(r, index, w.executor)
	}
}

// share does one worker's share of a run. If Load ends the goroutine, and with
// it the worker, the pool takes no more jobs.
func (p *Pool) share(r *run, index int, e Executor) {
	stays := false
	defer func() {
		if !stays {
			p.mu.Lock()
			p.closed = true
			p.mu.Unlock()
		}
		r.active.Done()
	}()
	e, leave := Stay(e)
	defer leave()
	r.work(index, e)
	stays = true
}
