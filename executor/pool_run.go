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
	done := false
	defer func() {
		if value := recover(); !done {
			r.panic(value)
		}
	}()
	if whole, ok := e.(FileExecutor); ok {
		r.whole(worker, whole)
	} else {
		r.pairs(worker, e)
	}
	done = true
}

// pairs executes one pair after the other.
func (r *run) pairs(worker int, e Executor) {
	for {
		file, result := r.load(worker, true)
		if result == nil {
			return
		}
		for i := range result.Results {
			if r.ctx.Err() != nil {
				return // the last pair may have been cut short
			}
			pair := &result.Results[i]
			pair.Result, pair.Err = e.Execute(r.ctx, pair.Rule, file)
		}
		r.put(result)
	}
}

// whole has an executor parse files and execute all pairs.
func (r *run) whole(worker int, e FileExecutor) {
	err := e.ExecuteFiles(r.ctx, func(wait bool) *FileTask {
		file, result := r.load(worker, wait)
		if result == nil {
			return nil
		}
		return &FileTask{File: file, Result: result}
	}, func(t *FileTask) {
		t.Result.Load += t.Result.Parsed.Parse + t.Result.Parsed.Match
		if t.Result.Err != nil {
			t.Result.Results = nil
		}
		r.put(t.Result)
	})
	if err != nil {
		r.cancel(err)
	}
}

// take waits for a free place in the ring, if it may, and returns its index;
// false means that there is nothing to do.
func (r *run) take(wait bool) (index int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.taken < r.job.Files && r.taken-r.emitted >= len(r.ring) && r.ctx.Err() == nil {
		if !wait {
			return 0, false
		}
		r.room.Wait()
	}
	if r.taken == r.job.Files || r.ctx.Err() != nil {
		return 0, false
	}
	r.taken++
	return r.taken - 1, true
}

// put hands a result over, unless ctx has ended: it may have been cut short.
func (r *run) put(result *FileResult) {
	if r.ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ring[result.Index%len(r.ring)] = result
	if result.Index == r.emitted {
		r.ready.Signal()
	}
}

// load takes and loads the next file that can be loaded, and makes a result
// that names its rules. No result means that there is nothing to do.
func (r *run) load(worker int, wait bool) (*File, *FileResult) {
	for {
		index, ok := r.take(wait)
		if !ok {
			return nil, nil
		}
		start := time.Now()
		file, err := r.job.Load(r.ctx, worker, index)
		result := &FileResult{Index: index, Err: err, Load: time.Since(start)}
		if file != nil {
			result.Path, result.Language = file.Path, file.Language
		} else if err == nil {
			result.Err = errNoFile
		}
		if result.Err != nil {
			r.put(result)
			continue
		}
		rules := r.job.Rules[file.Language]
		result.Results = make([]PairResult, len(rules))
		for i, rule := range rules {
			result.Results[i].Rule = rule
		}
		return file, result
	}
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
