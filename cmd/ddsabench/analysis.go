package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/suppress"
)

// An analysis runs a workload with the executor that the flag decides on.
type analysis struct {
	*workload
	decision flags.Decision
	limits   executor.Limits
	workers  int
	totals   totals
}

// A reporter prints an analysis while it goes on.
type reporter interface {
	begin(*analysis) error
	file(*executor.FileResult) error
	end(*analysis) error
	// flush prints what is whole, in any case.
	flush() error
}

// run analyzes and reports. Findings come in the order of the files.
func (a *analysis) run(ctx context.Context, r reporter) error {
	if err := a.report(ctx, r); err != nil {
		_ = r.flush() // the first error is the one to tell
		return err
	}
	return r.flush()
}

func (a *analysis) report(ctx context.Context, r reporter) error {
	start := time.Now()
	parsers := make([]*parser, a.workers)
	for i := range parsers {
		parsers[i] = a.newParser()
		defer parsers[i].Close() // frees memory, cannot fail
	}
	pool, err := executor.NewPool(a.workers, func() (executor.Executor, error) {
		return ddsabench.New(a.decision, a.limits)
	})
	if err != nil {
		return err
	}
	defer pool.Close() // a second time, where all went well
	if err := r.begin(a); err != nil {
		return err
	}
	err = pool.Run(ctx, suppress.Job(executor.Job{
		Files: a.files.Len(),
		Rules: a.rules.byLanguage,
		Load: func(_ context.Context, worker, i int) (*executor.File, error) {
			return parsers[worker].file(i)
		},
		Emit: func(f *executor.FileResult) error {
			a.totals.add(f)
			return r.file(f)
		},
	}, &a.totals.suppressed))
	if err != nil {
		return err
	}
	if err := pool.Close(); err != nil {
		return err
	}
	a.totals.stats = pool.Stats()
	a.totals.elapsed = time.Since(start)
	return r.end(a)
}

// totals are the sums over an analysis.
type totals struct {
	pairs      int
	violations map[executor.Severity]int // without those suppressed
	suppressed int
	timeouts   int
	errors     int
	unparsed   int
	stats      executor.Stats
	elapsed    time.Duration
}

func (t *totals) add(f *executor.FileResult) {
	if t.violations == nil {
		t.violations = map[executor.Severity]int{}
	}
	if f.Err != nil {
		t.unparsed++
	}
	t.pairs += len(f.Results)
	for _, p := range f.Results {
		t.violations[p.Rule.Severity] += len(p.Result.Violations)
		switch {
		case errors.Is(p.Err, executor.ErrTimeout):
			t.timeouts++
		case p.Err != nil:
			t.errors++
		}
	}
}

// all counts all violations.
func (t *totals) all() int { return t.atLeast(string(executor.SeverityNone)) }

// atLeast counts the violations of a severity, in any case, and of all graver
// ones. "never" has none.
func (t *totals) atLeast(severity string) int {
	if severity == "never" {
		return 0
	}
	n := 0
	for _, s := range []executor.Severity{
		executor.SeverityError, executor.SeverityWarning, executor.SeverityNotice, executor.SeverityNone,
	} {
		n += t.violations[s]
		if strings.EqualFold(string(s), severity) {
			break
		}
	}
	return n
}
