package shadow

import (
	"context"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
)

// Job returns a job like job that offers a share of its files to c, before Emit
// gets them. Which ones depends on their indices only. A nil c returns job.
//
// It has to be the outermost change of the job, because an inner one's Emit may
// change the results.
func (c *Comparer) Job(job executor.Job, share float64, newParser func() Parser) executor.Job {
	if c == nil {
		return job
	}
	load, emit := job.Load, job.Emit
	var mu sync.Mutex
	texts := map[int]string{} // of files that are loaded, not emitted
	job.Load = func(ctx context.Context, worker, index int) (*executor.File, error) {
		file, err := load(ctx, worker, index)
		if err == nil && file != nil && Picks(uint64(index), share) {
			mu.Lock()
			texts[index] = file.Text
			mu.Unlock()
		}
		return file, err
	}
	job.Emit = func(r *executor.FileResult) error {
		mu.Lock()
		text, picked := texts[r.Index]
		delete(texts, r.Index)
		mu.Unlock()
		if picked && r.Err == nil { // one that was not parsed has no answer
			c.Offer(Answer{
				Path: r.Path, Language: r.Language, Text: text, Results: r.Results, NewParser: newParser,
			})
		}
		return emit(r)
	}
	return job
}
