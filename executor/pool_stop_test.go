package executor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/ddsabench/ddsabench/executor"
)

// blocking runs until its context ends on the file with this path.
func blocking(path string) func(context.Context, *Rule, *File) (Result, error) {
	return func(ctx context.Context, rule *Rule, file *File) (Result, error) {
		if file.Path != path {
			return Result{}, nil
		}
		<-ctx.Done()
		return Result{}, &Error{Outcome: Cancelled, Rule: rule.Name, File: file.Path, Err: ctx.Err()}
	}
}

// A job that hangs in one execution is ended in different ways.
func TestPoolStops(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func(p *Pool, cancel context.CancelCauseFunc)
		want error
	}{
		{"cancel", func(_ *Pool, cancel context.CancelCauseFunc) { cancel(nil) }, context.Canceled},
		{"cancel with a cause", func(_ *Pool, cancel context.CancelCauseFunc) { cancel(errors.New("why")) }, context.Canceled},
		{"close", func(p *Pool, _ context.CancelCauseFunc) { p.Close() }, ErrClosed},
	} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p, fakes := newPool(t, workers, blocking("20"))
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					var got []*FileResult
					ended := make(chan error)
					go func() {
						ended <- p.Run(ctx, Job{Files: 1000, Rules: jsRules, Load: load, Emit: collect(&got), Window: 30})
					}()
					synctest.Wait() // all is still: the window is full, or the only worker hangs
					before := p.Stats().Executions
					c.stop(p, cancel)
					if err := <-ended; !errors.Is(err, c.want) {
						t.Errorf("error %v, want %v", err, c.want)
					}
					if len(got) != 20 {
						t.Errorf("%d files emitted before the one that hangs, want 20", len(got))
					}
					wantPrefix(t, got)
					if after := p.Stats().Executions; after != before {
						t.Errorf("%d executions started after the end", after-before)
					}
					p.Close()
					for _, f := range fakes {
						if f.closed.Load() != 1 {
							t.Errorf("an executor was closed %d times", f.closed.Load())
						}
					}
				})
			})
		}
	}
}

func TestPoolWithEndedContext(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var loads atomic.Int32
	err := p.Run(ctx, Job{
		Files: 10, Emit: func(*FileResult) error { return nil },
		Load: func(context.Context, int, int) (*File, error) { loads.Add(1); return nil, nil },
	})
	if !errors.Is(err, context.Canceled) || loads.Load() != 0 {
		t.Errorf("error %v, %d loads", err, loads.Load())
	}
}

// A context that ends while the last result is emitted changes nothing.
func TestPoolFinishesBeforeCancel(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	ctx, cancel := context.WithCancel(t.Context())
	err := p.Run(ctx, Job{Files: 10, Load: load, Emit: func(r *FileResult) error {
		if r.Index == 9 {
			cancel()
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
}

func TestPoolRefusesSecondJob(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	job := Job{Files: 1, Load: load, Emit: func(*FileResult) error { return nil }}
	outer := job
	outer.Emit = func(*FileResult) error {
		if err := p.Run(t.Context(), job); !errors.Is(err, ErrBusy) {
			t.Errorf("a job within a job: %v", err)
		}
		return nil
	}
	if err := p.Run(t.Context(), outer); err != nil {
		t.Error(err)
	}
	p.Close()
	if err := p.Run(t.Context(), job); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestPoolEmitError(t *testing.T) {
	p, _ := newPool(t, 4, nil)
	errFull := errors.New("disk full")
	emitted := 0
	err := p.Run(t.Context(), Job{Files: 1000, Rules: jsRules, Load: load, Emit: func(*FileResult) error {
		emitted++
		if emitted == 5 {
			return errFull
		}
		return nil
	}})
	if err != errFull || emitted != 5 {
		t.Errorf("error %v after %d files", err, emitted)
	}
}

// A panic reaches Run's caller, wherever it was, and the pool can go on.
func TestPoolPanics(t *testing.T) {
	hit := func(index int) {
		if index == 5 {
			panic("kaboom")
		}
	}
	emit := func(*FileResult) error { return nil }
	for name, job := range map[string]Job{
		"load": {Files: 100, Emit: emit, Load: func(ctx context.Context, worker, index int) (*File, error) {
			hit(index)
			return load(ctx, worker, index)
		}},
		"emit":    {Files: 100, Load: load, Emit: func(r *FileResult) error { hit(r.Index); return nil }},
		"execute": {Files: 100, Load: load, Emit: emit, Rules: map[Language][]*Rule{JavaScript: {{Name: "panics"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := newPool(t, 4, func(_ context.Context, _ *Rule, file *File) (Result, error) {
				if file.Path == "5" {
					hit(5)
				}
				return Result{}, nil
			})
			func() {
				defer func() {
					if v := recover(); !strings.Contains(fmt.Sprint(v), "kaboom") {
						t.Errorf("recovered %v", v)
					}
				}()
				p.Run(t.Context(), job)
			}()
			if err := p.Run(t.Context(), Job{Files: 9, Load: load, Emit: emit}); err != nil {
				t.Errorf("the next job: %v", err)
			}
		})
	}
}

// A Load that ends its goroutine, as a test's Fatal does, does not hang Run, nor
// the one after it.
func TestPoolGoexit(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
		err := p.Run(t.Context(), Job{Files: 9, Load: load, Emit: func(*FileResult) error { return nil }})
		if !errors.Is(err, ErrClosed) {
			t.Errorf("the next job: %v", err)
		}
	}()
	p.Run(t.Context(), Job{
		Files: 10, Emit: func(*FileResult) error { return nil },
		Load: func(context.Context, int, int) (*File, error) { runtime.Goexit(); return nil, nil },
	})
}

// A function that ends its goroutine instead of making an executor.
func TestNewPoolGoexit(t *testing.T) {
	if p, err := NewPool(2, func() (Executor, error) { runtime.Goexit(); return nil, nil }); p != nil || err == nil {
		t.Errorf("pool %v, error %v", p, err)
	}
}

// Jobs and Close from many goroutines: each job ends well, busy or closed.
func TestPoolConcurrentUse(t *testing.T) {
	for range 50 {
		p, _ := newPool(t, 3, nil)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				err := p.Run(t.Context(), Job{Files: 20, Rules: jsRules, Load: load, Emit: func(*FileResult) error { return nil }})
				if err != nil && !errors.Is(err, ErrBusy) && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
			})
		}
		all.Go(func() { p.Close() })
		all.Go(func() { p.Close() })
		all.Wait()
	}
}
