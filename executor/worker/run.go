//go:build linux

package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench/executor"
)

// How much a worker is given ahead of what it is doing, so that neither side
// waits for the other. The requests fit in the pipe, unless one file is large.
const (
	maxQueue     = 16
	maxQueueText = 128 << 10
)

// A run is one call of ExecuteFiles.
//
// Whatever is in the queue has no complete result. Of the tasks in it the first
// sent ones are requests that the worker has. Results come in order, so that the
// next one is for the first missing rule of the first task: that result, and no
// other, is accepted.
type run struct {
	*Executor
	ctx   context.Context
	next  func(wait bool) *executor.FileTask
	done  func(*executor.FileTask)
	queue []*task
	text  int // bytes in queue
	sent  int
	over  bool // under mu: ctx is no longer of interest
	// lost is how many workers have died in a row, of nobody knows what and
	// without a result.
	lost int

	// Where watch has seen the worker last, since when, and what it killed the
	// worker for.
	seen    place
	seenAt  int64
	looked  int64 // when watch looked last
	listens int64 // since when this side waits for the worker
	verdict *executor.Error
}

// A task is a file in the queue.
type task struct {
	*executor.FileTask
	missing []int // rules without a result, by index, in order
	bytes   int   // of its results, as they came
	parsed  bool  // the file is known to be one that can be parsed
	over    bool  // nothing more will come
	// deaths is how often a worker was killed by a stranger while a rule ran.
	deaths map[int]int

	// The request that was sent to the present worker, and how many results
	// have come since.
	seq      uint64
	accepted int
}

// ExecuteFiles implements executor.FileExecutor.
func (e *Executor) ExecuteFiles(ctx context.Context, next func(wait bool) *executor.FileTask, done func(*executor.FileTask)) error {
	if !e.running.TryLock() {
		if e.closing.Load() {
			return fmt.Errorf("worker: %w", executor.ErrClosed)
		}
		return fmt.Errorf("worker: %w", executor.ErrBusy)
	}
	defer e.running.Unlock()
	r := &run{Executor: e, ctx: ctx, next: next, done: done}
	release := context.AfterFunc(ctx, r.cancelled)
	defer func() {
		release()
		r.mu.Lock()
		r.over = true
		r.mu.Unlock()
		r.forget() // after a panic in next or done
	}()
	return r.do()
}

// cancelled kills the worker when ctx ends. If there is none yet, do will see
// that ctx has ended.
func (r *run) cancelled() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process != nil && !r.over {
		r.process.kill()
	}
}

// forget ends a worker that is still busy with what nobody wants any more.
func (r *run) forget() {
	if r.sent > 0 && r.process != nil {
		r.bury()
	}
	r.sent = 0
}

// do runs all tasks, with as many workers as that takes. Each turn accepts
// results, or sets one, or counts a death, of which there can be two for a rule
// and maxLost without one: so there is an end.
func (r *run) do() error {
	for {
		r.fill()
		if len(r.queue) == 0 {
			return nil
		}
		if r.ended() {
			continue
		}
		p, err := r.ready(r.ctx)
		var unusable *StartError
		switch {
		case r.ended(): // meanwhile
			continue
		case errors.As(err, &unusable):
			return err
		case err != nil:
			return fmt.Errorf("worker: %w", err)
		}
		if r.sent == 0 {
			r.seen, r.seenAt = p.page.place(), r.clock.now()
			// Not earlier: watch may kill the worker while results arrive, and what
			// for is needed when its end is seen, a turn later.
			r.verdict = nil
		}
		r.listens = r.clock.now()
		r.looked = r.listens
		p.watch = r.watch
		ok := r.send(p) && r.receive(p)
		p.watch = nil
		if !ok {
			d := r.bury()
			if !r.closing.Load() && r.ctx.Err() == nil || r.verdict != nil {
				r.blame(d)
			}
			r.sent = 0
		}
		r.settle()
	}
}

// fill takes tasks while there is room for them.
func (r *run) fill() {
	for len(r.queue) < maxQueue && (len(r.queue) == 0 || r.text < maxQueueText) {
		asked := r.clock.now()
		next := r.next(len(r.queue) == 0)
		if next == nil {
			return
		}
		t := &task{FileTask: next, missing: make([]int, len(next.Result.Results))}
		for i := range t.missing {
			t.missing[i] = i
		}
		r.queue = append(r.queue, t)
		r.text += len(t.File.Text)
		if r.sent > 0 && r.clock.now()-asked > int64(watchEvery) {
			return // nobody watches the worker meanwhile
		}
	}
}

// settle hands on the tasks that are over, which are the first ones.
func (r *run) settle() {
	n := 0
	for ; n < len(r.queue) && r.queue[n].over; n++ {
		r.text -= len(r.queue[n].File.Text)
		r.done(r.queue[n].FileTask)
	}
	clear(r.queue[:n])
	r.queue = r.queue[n:]
	r.sent = max(0, r.sent-n)
}

// ended ends all tasks if Close was called or ctx has ended.
func (r *run) ended() bool {
	if r.closing.Load() {
		r.stop(executor.Closed, nil)
		return true
	}
	if err := r.ctx.Err(); err != nil {
		r.stop(executor.Cancelled, err)
		return true
	}
	return false
}

// stop gives all missing results the same end.
func (r *run) stop(o executor.Outcome, cause error) {
	r.forget()
	r.giveUp()
	for _, t := range r.queue {
		for _, i := range t.missing {
			r.fail(t, i, &executor.Error{Outcome: o, Err: cause})
		}
		t.missing, t.over = nil, true
	}
	r.settle()
}

// failFile ends a task whose file cannot be parsed. If it could be before, by
// another worker, what that found stays.
func (r *run) failFile(t *task, err error) {
	t.over = true
	if !t.parsed {
		t.Result.Err = err
		return
	}
	for _, i := range t.missing {
		failure := executor.Error{Outcome: executor.Internal, Err: err}
		if own, ok := err.(*executor.Error); ok {
			failure = *own
		}
		r.fail(t, i, &failure)
	}
	t.missing = nil
}

// fail sets a result.
func (r *run) fail(t *task, i int, err *executor.Error) {
	pair := &t.Result.Results[i]
	err.Rule = pair.Rule.Name
	pair.Err = r.failed(err, t.File)
}
