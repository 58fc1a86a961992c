package shadow

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// A pool's job is shadowed by the files' indices, before its own Emit changes
// the results.
func TestJob(t *testing.T) {
	const files, share = 1000, 0.1
	w := newWorld(t)
	w.run = func(_ context.Context, _ *executor.Rule, file *executor.File) executor.PairResult {
		return found(at(len(file.Path), "a"))
	}
	s := w.start(Config{Wait: true})
	answering := newWorld(t)
	answering.run = w.run
	pool, err := executor.NewPool(2, func() (executor.Executor, error) {
		return &fakeExecutor{world: &world{t: t, run: w.run}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	want := uint64(0)
	for i := range files {
		if Picks(uint64(i), share) && i != 7 {
			want++
		}
	}
	var emitted atomic.Int64
	unread := errors.New("unread")
	job := s.Job(executor.Job{
		Files: files,
		Rules: map[executor.Language][]*executor.Rule{executor.JavaScript: {rule}},
		Load: func(_ context.Context, _, i int) (*executor.File, error) {
			file := &executor.File{Path: fmt.Sprintf("%d.js", i), Language: executor.JavaScript}
			if i == 7 {
				return file, unread
			}
			file.Text = "text of " + file.Path
			return file, nil
		},
		Emit: func(r *executor.FileResult) error {
			emitted.Add(1)
			for _, p := range r.Results {
				clear(p.Result.Violations)
			}
			return nil
		},
	}, share, func() Parser { w.parsers.Add(1); return fakeParser{w} })
	if err := pool.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.Counts(); emitted.Load() != files || c != (Counts{Files: want, Pairs: want}) || want < 99 || want > 101 {
		t.Errorf("%d emitted, counts %+v; want %d compared", emitted.Load(), c, want)
	}
	if s := (*Comparer)(nil).Job(executor.Job{Files: 3}, 1, nil); s.Files != 3 || s.Load != nil {
		t.Error("a nil Comparer changed the job")
	}
}

// A file that was not parsed has no results to compare.
func TestJobWithoutParse(t *testing.T) {
	w := newWorld(t)
	s := w.start(Config{Wait: true})
	job := s.Job(executor.Job{
		Load: func(context.Context, int, int) (*executor.File, error) {
			return &executor.File{Path: "a.js", Text: "text of a.js"}, nil
		},
		Emit: func(*executor.FileResult) error { return nil },
	}, 1, func() Parser { t.Error("parsed again"); return fakeParser{w} })
	if _, err := job.Load(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := job.Emit(&executor.FileResult{Path: "a.js", Err: errors.New("too deep")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := s.Counts(); c != (Counts{}) {
		t.Errorf("counts %+v", c)
	}
}
