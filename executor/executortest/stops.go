package executortest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// endlessRule runs until somebody stops it, but is well on good.js.
var endlessRule = wellOn("for (;;);")

// inV8 waits until an execution has entered V8, or is about to, after before
// had been counted, or until it has ended without.
func (s *subject) inV8(before uint64, ended <-chan struct{}) {
	for s.Stats().Executions == before {
		select {
		case <-ended:
			return
		default:
			runtime.Gosched()
		}
	}
}

// cancelled: the caller's context, at every point and in either order with the
// time limit.
func cancelled(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	stopped := func(ctx context.Context, want error) {
		t.Helper()
		res, err := s.Execute(ctx, endlessRule, one("bad.js"))
		if !errors.Is(err, executor.ErrCancelled) || !errors.Is(err, want) || errors.Is(err, executor.ErrTimeout) {
			t.Errorf("result %+v, error %v, want cancelled: %v", res, err, want)
		}
		s.want(err, executor.Cancelled, "")
		s.wantRight(endlessRule)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	stopped(ended, context.Canceled)

	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		before := s.Stats().Executions
		go func() {
			s.inV8(before, nil)
			cancel()
		}()
		stopped(ctx, context.Canceled)
	}
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	stopped(ctx, context.DeadlineExceeded)
	stopped(ctx, context.DeadlineExceeded) // its deadline has passed

	// A context that is cancelled while another's execution runs.
	idle, cancelIdle := context.WithCancel(t.Context())
	if _, err := s.Execute(idle, endlessRule, one("good.js")); err != nil {
		t.Error(err)
	}
	mine, cancelMine := context.WithCancel(t.Context())
	before := s.Stats().Executions
	go func() {
		s.inV8(before, nil)
		cancelIdle()
		time.AfterFunc(budget, cancelMine)
	}()
	begin := time.Now()
	stopped(mine, context.Canceled)
	if took := time.Since(begin); took < budget {
		t.Errorf("stopped after %v by another execution's context", took)
	}

	short := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = budget })
	long, cancelLong := context.WithTimeout(t.Context(), time.Hour)
	defer cancelLong()
	if _, err := short.Execute(long, endlessRule, one("bad.js")); !short.late(err) {
		t.Errorf("error %v, want a timeout", err)
	}
}

// closed: Close while a script runs, from another goroutine, from several, and
// twice; Execute afterwards.
func closed(t *testing.T, newExecutor New) {
	for range 20 {
		s := start(t, newExecutor, nil)
		var all sync.WaitGroup
		ended := make(chan struct{})
		for range 3 {
			all.Go(func() {
				s.inV8(0, ended)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if st := s.Stats(); st.WatchdogsStarted != st.WatchdogsEnded {
					t.Errorf("after Close: %d watchdogs started, %d ended", st.WatchdogsStarted, st.WatchdogsEnded)
				}
			})
		}
		_, err := s.execute(endlessRule, one("bad.js"))
		close(ended)
		s.want(err, executor.Closed, "")
		all.Wait()
		_, err = s.execute(endlessRule, one("good.js"))
		s.want(err, executor.Closed, "")
		if !errors.Is(err, executor.ErrClosed) {
			t.Error(err)
		}
	}
	// At any other moment: between the executions, or in the middle of one.
	for i := range 50 {
		s := start(t, newExecutor, nil)
		var all sync.WaitGroup
		all.Go(func() {
			for range i {
				runtime.Gosched()
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		for {
			if got := show(s.execute(endlessRule, one("good.js"))); got == "closed" {
				break
			} else if got != "good" {
				t.Fatal(got)
			}
		}
		all.Wait()
	}
}

// busy: an execution during another is refused, from another goroutine and from
// inside; the outer one is still watched.
func busy(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = budget })
	outer := one("bad.js")
	outer.Tree.(*Tree).During = func() {
		refused := func() {
			_, err := s.execute(endlessRule, one("good.js"))
			s.want(err, executor.Busy, "")
			if !errors.Is(err, executor.ErrBusy) {
				t.Error(err)
			}
		}
		refused()
		var other sync.WaitGroup
		other.Go(refused)
		other.Wait()
	}
	if _, err := s.execute(endlessRule, outer); !s.late(err) {
		t.Errorf("error %v, want a timeout", err)
	}
	s.wantRight(endlessRule)

	// While the script itself runs.
	ctx, cancel := context.WithCancel(t.Context())
	long := start(t, newExecutor, nil)
	var other sync.WaitGroup
	other.Go(func() {
		defer cancel()
		long.inV8(0, nil)
		for range 100 {
			_, err := long.execute(endlessRule, one("good.js"))
			long.want(err, executor.Busy, "")
		}
	})
	_, err := long.Execute(ctx, endlessRule, one("bad.js"))
	long.want(err, executor.Cancelled, "")
	other.Wait()
	long.wantRight(endlessRule)
	if n := long.Stats().Outcomes[executor.Busy]; n != 100 {
		t.Errorf("%d outcomes are busy, want 100", n)
	}
}

// treeFails: the rule's own query ran, in the execution's time, or failed.
func treeFails(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = budget })
	query := func(rule *executor.Rule, path string, takes time.Duration, err error) (executor.Result, error) {
		file := one(path)
		tree := file.Tree.(*Tree)
		tree.Err = err
		tree.During = func() {
			begin := time.Now()
			time.Sleep(takes)
			tree.Found.Took = time.Since(begin)
		}
		return s.execute(rule, file)
	}
	_, err := query(endlessRule, "bad.js", budget, executor.ErrTimeout)
	if !s.late(err) {
		t.Errorf("error %v, want a timeout", err)
	}
	_, err = query(endlessRule, "bad.js", 0, errors.New("broken"))
	s.want(err, executor.Internal, "")
	// What the query took is no longer there for the script.
	res, err := query(endlessRule, "bad.js", budget/2, nil)
	if !s.late(err) || res.Query < budget/2 || res.InV8 > res.Elapsed-res.Query {
		t.Errorf("result %+v, error %v", res, err)
	}
	res, err = query(endlessRule, "good.js", budget, nil)
	if !s.late(err) || res.Visits != 0 {
		t.Errorf("result %+v, error %v", res, err)
	}
	s.wantRight(endlessRule)
}

// errorValues: each kind of error says what, where and how long.
func errorValues(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Heap = heap })
	short := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = budget })
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	run := func(s *subject, ctx context.Context, code string) error {
		_, err := s.Execute(ctx, rule(code), one("src/a.js"))
		return err
	}
	gone := start(t, newExecutor, nil)
	if err := gone.Close(); err != nil {
		t.Error(err)
	}
	_, goneErr := gone.execute(endlessRule, one("src/a.js"))
	for _, c := range []struct {
		err  error
		text string
	}{
		{run(short, t.Context(), "for (;;);"), "rule set/rule on src/a.js: timeout after 50ms (limit 50ms)"},
		{run(s, t.Context(), "const a = []; for (;;) a.push({ x: 1 })"), "rule set/rule on src/a.js: memory: heap limit 16 MiB"},
		{run(s, t.Context(), "throw 'x'"), "rule set/rule on src/a.js: script error: Uncaught x\n    at rule:1:41"},
		{run(s, ended, ""), "rule set/rule on src/a.js: cancelled: context canceled"},
		{goneErr, "rule set/rule on src/a.js: closed"},
	} {
		var e *executor.Error
		if !errors.As(c.err, &e) {
			t.Errorf("%T: %v", c.err, c.err)
			continue
		}
		if e.Rule != "set/rule" || e.File != "src/a.js" || e.Limit == 0 || e.HeapLimit == 0 {
			t.Errorf("%+v", e)
		}
		if e.Outcome == executor.Timeout {
			e.Elapsed = e.Limit
		}
		if e.Error() != c.text {
			t.Errorf("got  %q\nwant %q", e.Error(), c.text)
		}
	}
	st := s.Stats()
	for _, o := range []executor.Outcome{executor.Memory, executor.Script, executor.Cancelled} {
		if st.Outcomes[o] != 1 {
			t.Errorf("outcome %q was counted %d times", o, st.Outcomes[o])
		}
	}
	if st.Executions != 2 {
		t.Errorf("%d executions, want 2", st.Executions)
	}
}
