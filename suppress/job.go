package suppress

import (
	"context"
	"slices"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
)

// Job returns a job like job whose Emit gets no suppressed violation; how many
// were dropped is added to dropped. That happens after all executions of a file,
// so the executors see nothing of it. Dropped may be read in Emit and after the
// job.
func Job(job executor.Job, dropped *int) executor.Job {
	load, emit := job.Load, job.Emit
	var mu sync.Mutex
	waiting := map[int]Comments{} // of files that are loaded, not emitted
	job.Load = func(ctx context.Context, worker, index int) (*executor.File, error) {
		file, err := load(ctx, worker, index)
		if err != nil || file == nil {
			return file, err
		}
		if c := Parse(file.Text, file.Language); !c.Empty() {
			mu.Lock()
			waiting[index] = c
			mu.Unlock()
		}
		return file, nil
	}
	job.Emit = func(r *executor.FileResult) error {
		mu.Lock()
		c, found := waiting[r.Index]
		delete(waiting, r.Index)
		mu.Unlock()
		if found {
			*dropped += c.drop(r)
		}
		return emit(r)
	}
	return job
}

// drop removes the suppressed violations from a result and counts them.
func (c Comments) drop(r *executor.FileResult) int {
	n := 0
	for i := range r.Results {
		p := &r.Results[i]
		before := len(p.Result.Violations)
		p.Result.Violations = slices.DeleteFunc(p.Result.Violations, func(v executor.Violation) bool {
			return c.Suppressed(p.Rule.Name, v.Start.Line)
		})
		n += before - len(p.Result.Violations)
	}
	return n
}
