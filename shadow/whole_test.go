package shadow

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// An executor that parses itself gets whole files, and is kept when it cannot
// be used for a while.
func TestFileExecutor(t *testing.T) {
	w := newWorld(t)
	w.run = func(_ context.Context, _ *executor.Rule, file *executor.File) executor.PairResult {
		return found(at(len(file.Path), "a"))
	}
	s := New(Config{NewExecutor: func() (executor.Executor, error) {
		ex, err := w.newExecutor()
		return &wholeExecutor{ex.(*fakeExecutor), true}, err
	}})
	defer s.Close()
	for _, path := range []string{"unusable.js", "deep.js", "a.js"} {
		a := w.answer(path, found(at(4, "a")), found())
		a.NewParser = nil
		s.Offer(a)
	}
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := Counts{Files: 3, Pairs: 2, Skipped: 4}
	want.Mismatches[Failed], want.Mismatches[Violations] = 2, 1
	if got := s.Counts(); got != want || w.made.Load() != 1 {
		t.Errorf("counts %+v, want %+v; %d executors", got, want, w.made.Load())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

type wholeExecutor struct {
	*fakeExecutor
	broken bool // the first time
}

func (e *wholeExecutor) ExecuteFiles(ctx context.Context, next func(bool) *executor.FileTask, done func(*executor.FileTask)) error {
	if e.broken {
		e.broken = false
		return fmt.Errorf("no worker: %w", executor.ErrUnusable)
	}
	for task := next(true); task != nil; task = next(true) {
		if task.File.Path == "deep.js" {
			task.Result.Err = errors.New("too deep")
		}
		for i := range task.Result.Results {
			p := &task.Result.Results[i]
			p.Result, p.Err = e.Execute(ctx, p.Rule, task.File)
		}
		done(task)
	}
	return nil
}
