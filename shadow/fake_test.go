package shadow

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// A world has the executors and parsers of a test's Comparer, which do what run
// says. They check that they are used on one thread, and all closed.
type world struct {
	t    *testing.T
	run  func(ctx context.Context, rule *executor.Rule, file *executor.File) executor.PairResult
	make func() error // before each executor
	// parse is called before each file.
	parse func(path string) error

	thread                                 atomic.Int64
	made, closed, parsers, freed, released atomic.Int64
}

func newWorld(t *testing.T) *world {
	w := &world{t: t}
	t.Cleanup(func() {
		if w.made.Load() != w.closed.Load() || w.parsers.Load() != w.freed.Load() {
			t.Errorf("%d of %d executors and %d of %d parsers were closed",
				w.closed.Load(), w.made.Load(), w.freed.Load(), w.parsers.Load())
		}
	})
	return w
}

// start makes a Comparer that is closed at the test's end.
func (w *world) start(c Config) *Comparer {
	c.NewExecutor = w.newExecutor
	s := New(c)
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return s
}

// answer is a file with results for the rules that they name.
func (w *world) answer(path string, results ...executor.PairResult) Answer {
	return Answer{
		Path: path, Language: executor.JavaScript, Text: "text of " + path, Results: results,
		NewParser: func() Parser { w.here(); w.parsers.Add(1); return fakeParser{w} },
		Release:   func() { w.released.Add(1) },
	}
}

// here checks that the Comparer's worker stays on its thread, which is not the
// test's.
func (w *world) here() {
	thread := int64(syscall.Gettid())
	if !w.thread.CompareAndSwap(0, thread) && w.thread.Load() != thread {
		w.t.Error("the worker moved to another thread")
	}
}

func (w *world) newExecutor() (executor.Executor, error) {
	w.here()
	if w.make != nil {
		if err := w.make(); err != nil {
			return nil, err
		}
	}
	w.made.Add(1)
	return &fakeExecutor{world: w}, nil
}

type fakeExecutor struct {
	*world
	runs atomic.Uint64
}

func (e *fakeExecutor) Name() string { return "fake" }

func (e *fakeExecutor) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	e.here()
	e.runs.Add(1)
	if want := "text of " + file.Path; !strings.HasPrefix(file.Text, want) {
		e.t.Errorf("text %.40q, want %q", file.Text, want)
	}
	if e.run == nil {
		return executor.Result{}, nil
	}
	p := e.run(ctx, rule, file)
	return p.Result, p.Err
}

func (e *fakeExecutor) Stats() executor.Stats {
	return executor.Stats{Executions: e.runs.Load(), WatchdogsStarted: 1}
}

func (e *fakeExecutor) Close() error {
	e.here()
	e.closed.Add(1)
	return nil
}

type fakeParser struct{ *world }

func (p fakeParser) Parse(path string, language executor.Language, text string) (*executor.File, error) {
	p.here()
	if p.parse != nil {
		if err := p.parse(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return &executor.File{Path: path, Language: language, Text: text}, nil
}

func (p fakeParser) Close() error {
	p.here()
	p.freed.Add(1)
	return nil
}
