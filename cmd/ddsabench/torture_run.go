package main

import (
	"context"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
	"github.com/ddsabench/ddsabench/syntax"
)

// A torture is a run of hostile scripts on one or both executors.
type torture struct {
	Isolation string       `json:"isolation"`
	V8        string       `json:"v8"`
	Limit     float64      `json:"rule_timeout_seconds"`
	Patience  float64      `json:"patience_seconds"`
	Runs      []tortureRun `json:"runs"`

	limit, patience time.Duration
}

// A tortureRun is what became of the scripts on one executor.
type tortureRun struct {
	Runtime string       `json:"runtime"`
	Scripts []tortureRow `json:"scripts"`
}

// A tortureRow is one script.
type tortureRow struct {
	Name    string   `json:"name"`
	Tries   string   `json:"tries"`
	Ending  string   `json:"ending"`
	Right   []string `json:"right_endings"`
	Seconds float64  `json:"seconds"`
	// Next is "right", what was wrong, or "" if there was no process to run it.
	Next   string `json:"next_run,omitempty"`
	Detail string `json:"detail,omitempty"`
	// OutOfTime says that it should have ended otherwise, but was still running at
	// its limit.
	OutOfTime bool `json:"out_of_time,omitempty"`
	// Wrong says that the ending, its time or the next run is not as it should be.
	Wrong bool `json:"wrong"`
}

// run runs the scripts on the executor of that name. It calls next before each
// one.
func (t *torture) run(ctx context.Context, name string, scripts []*hostile.Script, next func(done int, script string)) error {
	t.Limit, t.Patience = t.limit.Seconds(), t.patience.Seconds()
	limits := hostile.Limits(t.limit)
	attempt := func(s *hostile.Script) (hostile.Report, error) {
		return hostile.Attempt(ctx, tortureChild, hostile.Job{Script: s.Name, Executor: name, Limits: limits}, t.patience)
	}
	if t.Isolation == inProcess {
		e, err := ddsabench.NewArmIsolated(name, limits, nil, syntax.DefaultOptions())
		if err != nil {
			return err
		}
		defer e.Close()
		attempt = func(s *hostile.Script) (hostile.Report, error) { return hostile.Run(ctx, e, s) }
	}
	run := tortureRun{Runtime: name}
	for i, s := range scripts {
		next(i, s.Name)
		report, err := attempt(s)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		run.Scripts = append(run.Scripts, t.row(s, report))
	}
	t.Runs = append(t.Runs, run)
	return nil
}

func (t *torture) row(s *hostile.Script, r hostile.Report) tortureRow {
	row := tortureRow{
		Name: s.Name, Tries: s.Tries, Ending: r.Ending, Right: s.InProcess,
		Seconds: r.Took.Seconds(), Next: r.Next, Detail: r.Detail,
	}
	if t.Isolation == inProcess {
		row.Right = s.InWorker
	}
	alive := r.Ending != hostile.NotStopped && r.Ending != hostile.Aborts
	if alive && r.Next == "" {
		row.Next = "right"
	}
	// Running out of time is right where the machine is slow, even if a worker's
	// parent is the first to notice.
	out := r.Ending == executor.Timeout.String() || r.Ending == executor.Hung.String()
	ended := slices.Contains(row.Right, r.Ending)
	row.OutOfTime = !ended && out && r.Took >= t.limit
	late := alive && r.Took > t.limit+t.patience
	row.Wrong = !ended && !row.OutOfTime || late || r.Next != ""
	return row
}

// wrong counts the scripts that did not end as they should.
func (t *torture) wrong() int {
	n := 0
	for _, run := range t.Runs {
		for _, row := range run.Scripts {
			if row.Wrong {
				n++
			}
		}
	}
	return n
}
