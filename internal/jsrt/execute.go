package jsrt

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/v8"
	"github.com/ddsabench/ddsabench/internal/watch"
)

// maxQuery bounds a rule's own query where there is no time limit: neither the
// caller's context nor Close ends a query before its limit.
const maxQuery = time.Minute

// Execute implements executor.Executor.
func (r *Runtime) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	if r.closing.Load() {
		return r.fail(rule, file, executor.Error{Outcome: executor.Closed})
	}
	if !r.running.TryLock() {
		if r.closing.Load() { // by Close, which came in between
			return r.fail(rule, file, executor.Error{Outcome: executor.Closed})
		}
		return r.fail(rule, file, executor.Error{Outcome: executor.Busy})
	}
	defer r.running.Unlock()
	return r.run(ctx, rule, file)
}

// run is Execute for whoever holds running.
func (r *Runtime) run(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	if r.closing.Load() { // Close may have come and gone, or waits
		return r.fail(rule, file, executor.Error{Outcome: executor.Closed})
	}
	if err := ctx.Err(); err != nil {
		return r.fail(rule, file, executor.Error{Outcome: executor.Cancelled, Err: err})
	}

	left, ofContext := r.left(ctx)
	if left == 0 {
		left = maxQuery
	}
	matches, err := file.Tree.Matches(rule, left)
	if err != nil {
		e := executor.Error{Outcome: executor.Internal, Elapsed: matches.Took, Err: err}
		switch {
		case errors.Is(err, executor.ErrTimeout) && ofContext:
			e.Outcome, e.Err = executor.Cancelled, context.DeadlineExceeded
		case errors.Is(err, executor.ErrTimeout):
			e.Outcome = executor.Timeout
		case errors.Is(err, executor.ErrMemory):
			e.Outcome = executor.Memory
		}
		return r.fail(rule, file, e)
	}
	if matches.Count == 0 {
		r.outcomes[executor.OK].Add(1)
		return executor.Result{Query: matches.Took}, nil
	}
	return r.execute(ctx, rule, file, &matches)
}

// left is the time that an execution has that starts now (0: no limit), and
// whether that is ctx's doing.
func (r *Runtime) left(ctx context.Context) (left time.Duration, ofContext bool) {
	left = r.limits.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		if d := max(1, time.Until(deadline)); left == 0 || d < left {
			return d, true
		}
	}
	return left, false
}

// execute runs a pair that has matches. Everything of the rule's runs between
// Arm and Disarm; what comes after is reading our own memory.
func (r *Runtime) execute(ctx context.Context, rule *executor.Rule, file *executor.File, m *executor.Matches) (executor.Result, error) {
	res := executor.Result{Entered: true, Query: m.Took}
	// The rule's own query has used up a part of its time.
	begin := max(1, r.guard.Now()-int64(m.Took))
	start := begin
	p, err := r.program(rule, m.Names)
	if err != nil {
		r.clean(rule, watch.None, false)
		return r.fail(rule, file, failure(ctx, watch.None, err))
	}
	if p.function == nil { // a new context: the time that took is not the rule's
		start = max(1, r.guard.Now()-int64(m.Took))
	}
	words := r.isolate.Memory()
	words[wordVisits], words[wordTampered] = 0, 0 // if the script does not get to run
	r.guard.Bind(ctx)
	deadline := r.guard.Limit(ctx, start, r.limits.Timeout)
	if err := r.watchdog.Arm(deadline); err != nil {
		r.clean(rule, watch.None, false)
		return r.fail(rule, file, executor.Error{Outcome: executor.NoWatchdog, Err: err})
	}
	r.executions.Add(1)
	if m.Took != 0 && r.guard.Now() >= deadline { // its query took all of its time
		r.guard.Fire(deadline)
	}
	var text string
	if !r.guard.StopIfDone(ctx) {
		entered := int64(0)
		if r.limits.InV8 {
			entered = r.guard.Now()
		}
		text, err = r.call(p, rule, file, m)
		if r.limits.InV8 {
			res.InV8 = time.Duration(start - begin + r.guard.Now() - entered)
		}
	}
	cause := r.watchdog.Disarm()
	res.Elapsed = time.Duration(r.guard.Now() - begin)

	words = r.isolate.Memory()
	res.Visits = int(min(words[wordVisits], uint32(m.Count)))
	if r.clean(rule, cause, words[wordTampered] != 0) {
		res.Tampered = true
	}
	if err == nil && cause == watch.None {
		res.Violations, res.Output, err = readFindings(words, text, r.limits)
	}
	if err != nil || cause != watch.None {
		e := failure(ctx, cause, err)
		e.Elapsed = res.Elapsed
		_, err := r.fail(rule, file, e)
		return res, err
	}
	r.outcomes[executor.OK].Add(1)
	return res, nil
}

// call is the part that happens inside the deadline.
func (r *Runtime) call(p *program, rule *executor.Rule, file *executor.File, m *executor.Matches) (string, error) {
	if err := p.compile(rule); err != nil {
		return "", err
	}
	if err := r.fill(file, m); err != nil {
		return "", err
	}
	return p.function.Call(&v8.File{
		ID: r.textID, Text: file.Text, ASCII: file.ASCII,
		Navigate: m.Navigator.Func, Data: m.Navigator.Data,
	})
}

// clean leaves nothing of an execution behind that the next one could see, and
// reports whether the rule is one that changes intrinsics.
func (r *Runtime) clean(rule *executor.Rule, cause watch.Cause, tampered bool) bool {
	if tampered {
		if len(r.tampered) >= maxTampered {
			clear(r.tampered) // those that do it again are found again
		}
		r.tampered[rule] = true
	}
	changes := len(r.tampered) != 0 && r.tampered[rule]
	if changes || cause != watch.None {
		// A script that was stopped may have left anything half-done, in its
		// microtasks too.
		r.drop(rule)
	}
	if r.nearHeap {
		r.nearHeap = false
		// Whoever filled the heap, the next execution finds it empty.
		for rule := range r.programs {
			r.drop(rule)
		}
		_ = r.isolate.RecoverHeap() // fails only for an isolate in use
	}
	return changes
}

// failure says how an execution failed that was stopped, or ended with err.
// Whether it was stopped is the guard's word, never V8's.
func failure(ctx context.Context, cause watch.Cause, err error) executor.Error {
	switch cause {
	case watch.Timeout:
		return executor.Error{Outcome: executor.Timeout}
	case watch.Context:
		err := ctx.Err()
		if err == nil { // its deadline has passed, but its timer comes late
			err = context.DeadlineExceeded
		}
		return executor.Error{Outcome: executor.Cancelled, Err: err}
	case watch.Memory:
		return executor.Error{Outcome: executor.Memory}
	case watch.Closed:
		return executor.Error{Outcome: executor.Closed}
	}
	var script *v8.ScriptError
	switch {
	case errors.As(err, &script):
		return executor.Error{Outcome: executor.Script, Detail: ruleLines(script.Text)}
	case errors.Is(err, v8.ErrMemorySize):
		return executor.Error{Outcome: executor.Memory, Detail: "the matches or findings do not fit in the memory shared with the rule"}
	default:
		return executor.Error{Outcome: executor.Internal, Err: err}
	}
}

// ruleLines leaves out the stack lines that are not the rule's.
func ruleLines(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if strings.HasPrefix(line, "    at ") && strings.Contains(line, "setup:") {
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// fail counts and returns a failure.
func (r *Runtime) fail(rule *executor.Rule, file *executor.File, e executor.Error) (executor.Result, error) {
	e.Rule, e.File = rule.Name, file.Path
	e.Limit, e.HeapLimit = r.limits.Timeout, r.limits.Heap
	r.outcomes[e.Outcome].Add(1)
	return executor.Result{}, &e
}
