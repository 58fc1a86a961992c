package executor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

var (
	errEnded  = errors.New("executor: job has ended")
	errNoFile = errors.New("executor: Load returned neither a file nor an error")
)

// A run is one job under way. Workers take the next index and put the result
// into a ring, from which Run's goroutine emits in order. No index is taken
// unless its place in the ring is free.
type run struct {
	job    Job
	ctx    context.Context // ended: nothing further starts or is emitted
	cancel context.CancelCauseFunc
	active sync.WaitGroup // workers that have not left the run

	mu       sync.Mutex
	room     sync.Cond     // a place in the ring became free, or ctx ended
	ready    sync.Cond     // the next result to emit is there, or ctx ended
	taken    int           // indices below it were taken
	emitted  int           // indices below it left the ring
	ring     []*FileResult // index i waits in place i % len
	panicked error         // a worker's panic; read after active.Wait
}

func newRun(ctx context.Context, job Job) *run {
	if job.Window == 0 {
		job.Window = DefaultWindow
	}
	r := &run{job: job, ring: make([]*FileResult, max(1, min(job.Window, job.Files)))}
	r.room.L, r.ready.L = &r.mu, &r.mu
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	context.AfterFunc(r.ctx, r.wake)
	return r
}

func (r *run) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.room.Broadcast()
	r.ready.Broadcast()
}

// emit hands all results on in order and returns why it stopped.
func (r *run) emit(caller context.Context) error {
	for range r.job.Files {
		result := r.head()
		if result == nil {
			// The caller's cause is not compared to: it may not be comparable.
			cause := context.Cause(r.ctx)
			if err := caller.Err(); err != nil && !errors.Is(cause, ErrClosed) {
				return err
			}
			return cause
		}
		if err := r.job.Emit(result); err != nil {
			return err
		}
	}
	return nil
}

// head waits for the next result and takes it; nil means that ctx has ended.
func (r *run) head() *FileResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	place := &r.ring[r.emitted%len(r.ring)]
	for *place == nil && r.ctx.Err() == nil {
		r.ready.Wait()
	}
	if r.ctx.Err() != nil {
		return nil
	}
	result := *place
	*place = nil
	r.emitted++
	r.room.Signal()
	return result
}

// work is one worker's share of the run.
func (r *run) work(worker int, e Executor) {
	defer r.active.Done()
	done := false
	defer func() {
		if value := recover(); !done {
			r.panic(value)
		}
	}()
	for {
		index, ok := r.take()
		if !ok {
			break
		}
		result := r.file(worker, index, e)
		if r.ctx.Err() != nil {
			break // the last pair may have been cut short
		}
		r.put(result)
	}
	done = true
}

// take waits for a free place in the ring and returns its index; false means
// that there is nothing left to do.
func (r *run) take() (index int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.taken < r.job.Files && r.taken-r.emitted >= len(r.ring) && r.ctx.Err() == nil {
		r.room.Wait()
	}
	if r.taken == r.job.Files || r.ctx.Err() != nil {
		return 0, false
	}
	r.taken++
	return r.taken - 1, true
}

func (r *run) put(result *FileResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ring[result.Index%len(r.ring)] = result
	if result.Index == r.emitted {
		r.ready.Signal()
	}
}

// file loads one file and runs its language's rules until ctx ends.
func (r *run) file(worker, index int, e Executor) *FileResult {
	start := time.Now()
	file, err := r.job.Load(r.ctx, worker, index)
	result := &FileResult{Index: index, Err: err, Load: time.Since(start)}
	if file != nil {
		result.Path, result.Language = file.Path, file.Language
	} else if err == nil {
		result.Err = errNoFile
	}
	if result.Err != nil {
		return result
	}
	rules := r.job.Rules[file.Language]
	result.Results = make([]PairResult, len(rules))
	for i, rule := range rules {
		if r.ctx.Err() != nil {
			break
		}
		pair := &result.Results[i]
		pair.Rule = rule
		pair.Result, pair.Err = e.Execute(r.ctx, rule, file)
	}
	return result
}

// panic keeps a worker's panic for Run's goroutine and stops the others.
// The value is nil if Load called runtime.Goexit, as a test's Fatal does.
func (r *run) panic(value any) {
	err := fmt.Errorf("executor: panic on a pool's worker: %v\n\n%s", value, debug.Stack())
	r.mu.Lock()
	if r.panicked == nil {
		r.panicked = err
	}
	r.mu.Unlock()
	r.cancel(err)
}
