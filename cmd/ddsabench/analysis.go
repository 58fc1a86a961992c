package main

import (
	"context"
	"io"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/findings"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/shadow"
	"github.com/ddsabench/ddsabench/suppress"
)

// An analysis runs a workload with the executor that the flag decides on.
type analysis struct {
	*workload
	// part is the part of a corpus that the workload is, "" for all of it.
	part     string
	decision flags.Decision
	limits   executor.Limits
	workers  int
	progress *fileProgress
	totals   findings.Totals
	shadow   *shadow.Comparer // nil: nothing is compared
}

// run analyzes and reports. Findings come in the order of the files.
func (a *analysis) run(ctx context.Context, form findings.Form) error {
	defer a.progress.end()
	if err := a.report(ctx, form); err != nil {
		_ = form.Flush() // the first error is the one to tell
		return err
	}
	return form.Flush()
}

func (a *analysis) report(ctx context.Context, form findings.Form) error {
	start := time.Now()
	parsers := make([]*parser, a.workers)
	for i := range parsers {
		parsers[i] = a.newParser()
		defer parsers[i].Close() // frees memory, cannot fail
	}
	pool, err := executor.NewPool(a.workers, func() (executor.Executor, error) {
		return a.isolated(string(a.decision.Value), a.limits)
	})
	if err != nil {
		return err
	}
	defer pool.Close() // a second time, where all went well
	head := a.head()
	if err := form.Begin(head); err != nil {
		return err
	}
	err = pool.Run(ctx, a.shadowed(suppress.Job(executor.Job{
		Files: a.files.Len(),
		Rules: a.rules.byLanguage,
		Load: func(_ context.Context, worker, i int) (*executor.File, error) {
			return parsers[worker].file(i)
		},
		Emit: func(f *executor.FileResult) error {
			a.totals.Add(f)
			a.progress.file()
			return form.File(f)
		},
	}, &a.totals.Suppressed)))
	if err != nil {
		return err
	}
	if err := pool.Close(); err != nil {
		return err
	}
	a.totals.WatchdogsStarted = pool.Stats().WatchdogsStarted
	a.totals.Elapsed = time.Since(start)
	return form.End(head, &a.totals)
}

func (a *analysis) head() *findings.Head {
	h := &findings.Head{
		Version:  commit,
		Executor: string(a.decision.Value), Source: string(a.decision.Source), Reason: string(a.decision.Reason),
		Decision: a.decision.String(),
		Corpus:   a.files.Name(), Digest: a.files.Digest(), RulesDigest: rules.Digest(a.rules.all()),
		Part: a.part, Whole: a.whole.Digest(),
		Files: a.input("").Counts, Unread: len(a.files.Problems()),
		Rules: rules.All(a.rules.sets),
	}
	if h.Part == "" {
		h.Whole = ""
	}
	return h
}

// newFileProgress tells on a terminal how many of files are done. Elsewhere it
// tells nothing, nor where report goes to a terminal: its lines come as files do.
func newFileProgress(w, report io.Writer, files int) *fileProgress {
	p := newProgress(w)
	if p.bar == nil || terminal(report) {
		return &fileProgress{}
	}
	p.bar.ChangeMax(files)
	p.bar.Describe("files")
	return &fileProgress{p}
}

type fileProgress struct{ *progress }

func (p *fileProgress) file() {
	if p.progress != nil {
		_ = p.bar.Add(1) // a terminal that is gone is no reason to stop
	}
}

func (p *fileProgress) end() {
	if p.progress != nil {
		p.progress.end()
	}
}
