package suppress

import (
	"context"
	"errors"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/google/go-cmp/cmp"
)

// finder finds one violation on each line of a file.
type finder struct{ executor.Executor }

func (finder) Close() error { return nil }

func (finder) Execute(_ context.Context, _ *executor.Rule, file *executor.File) (executor.Result, error) {
	var r executor.Result
	for i := range 4 {
		r.Violations = append(r.Violations, executor.Violation{Start: executor.Position{Line: i + 1}})
	}
	return r, nil
}

func TestJob(t *testing.T) {
	texts := []string{"x", "// no-dd-sa s/a\nx", "x\n//no-dd-sa\ny", "unreadable", "//no-dd-sa"}
	errRead := errors.New("unreadable")
	pool, err := executor.NewPool(3, func() (executor.Executor, error) { return finder{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	dropped := 0
	var got [][]int // violations by file and rule
	var sums []int  // dropped so far, as Emit sees it
	job := Job(executor.Job{
		Files: len(texts),
		Rules: map[executor.Language][]*executor.Rule{executor.JavaScript: {{Name: "s/a"}, {Name: "s/b"}}},
		Load: func(_ context.Context, _, i int) (*executor.File, error) {
			if texts[i] == "unreadable" {
				return &executor.File{Path: "x.js"}, errRead
			}
			return &executor.File{Language: executor.JavaScript, Text: texts[i]}, nil
		},
		Emit: func(r *executor.FileResult) error {
			var counts []int
			for _, p := range r.Results {
				counts = append(counts, len(p.Result.Violations))
			}
			got, sums = append(got, counts), append(sums, dropped)
			if (r.Err != nil) != (texts[r.Index] == "unreadable") {
				t.Errorf("file %d: error %v", r.Index, r.Err)
			}
			return nil
		},
	}, &dropped)
	for range 2 { // a job can run again
		dropped, got, sums = 0, nil, nil
		if err := pool.Run(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]int{{4, 4}, {0, 4}, {3, 3}, nil, {0, 0}}, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]int{0, 4, 6, 6, 14}, sums); diff != "" {
			t.Error(diff)
		}
	}
}
