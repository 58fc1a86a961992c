package arm

import (
	"context"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Wrap gives ex what the modifiers add. The result is used and closed in ex's
// place.
func (a Arm) Wrap(ex executor.Executor) executor.Executor {
	if a.Delay == 0 {
		return ex
	}
	return &delayed{ex, a.Delay}
}

// delayed makes each execution, and no other pair, last longer. It keeps the
// processor busy while it waits, as a costly watchdog would; a sleep could not
// be as short. It overshoots by up to one reading of the clock.
type delayed struct {
	executor.Executor
	delay time.Duration
}

func (d *delayed) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	result, err := d.Executor.Execute(ctx, rule, file)
	if !result.Entered {
		return result, err
	}
	start := time.Now()
	waited := time.Duration(0)
	for waited < d.delay {
		waited = time.Since(start)
	}
	result.Elapsed += waited
	return result, err
}
