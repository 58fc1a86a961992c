package arm

import (
	"context"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Wrap gives ex what the modifiers add. The result is used and closed in ex's
// place, and takes whole files if ex does.
func (a Arm) Wrap(ex executor.Executor) executor.Executor {
	if a.Delay == 0 {
		return ex
	}
	if whole, ok := ex.(executor.FileExecutor); ok {
		return &delayedFiles{whole, a.Delay}
	}
	return &delayed{ex, a.Delay}
}

// delayed makes each execution, and no other pair, last longer.
type delayed struct {
	executor.Executor
	delay time.Duration
}

// Stay implements executor.Resident, so that the delay remains the only difference.
func (d *delayed) Stay() (executor.Executor, func()) {
	ex, leave := executor.Stay(d.Executor)
	return &delayed{ex, d.delay}, leave
}

func (d *delayed) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	result, err := d.Executor.Execute(ctx, rule, file)
	lengthen(&result, d.delay)
	return result, err
}

// delayedFiles does so when a file is done. Its processor waits then, and not
// the one that executes: time in executions is longer by the delay, the wall
// clock perhaps not.
type delayedFiles struct {
	executor.FileExecutor
	delay time.Duration
}

func (d *delayedFiles) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	result, err := d.FileExecutor.Execute(ctx, rule, file)
	lengthen(&result, d.delay)
	return result, err
}

func (d *delayedFiles) ExecuteFiles(ctx context.Context, next func(wait bool) *executor.FileTask, done func(*executor.FileTask)) error {
	return d.FileExecutor.ExecuteFiles(ctx, next, func(t *executor.FileTask) {
		for i := range t.Result.Results {
			lengthen(&t.Result.Results[i].Result, d.delay)
		}
		done(t)
	})
}

// lengthen waits if the result is that of an execution. It keeps the processor
// busy, as a costly watchdog would; a sleep could not be as short. It overshoots
// by up to one reading of the clock.
func lengthen(result *executor.Result, delay time.Duration) {
	if !result.Entered {
		return
	}
	start := time.Now()
	waited := time.Duration(0)
	for waited < delay {
		waited = time.Since(start)
	}
	result.Elapsed += waited
}
