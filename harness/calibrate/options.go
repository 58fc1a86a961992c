package calibrate

import (
	"fmt"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// DefaultBudget is how long a calibration may take.
const DefaultBudget = 15 * time.Minute

// Power is how often a delay must be found to count as found.
const Power = 0.90

// Options say what to calibrate.
type Options struct {
	// Options are those of the comparisons to calibrate. Their Header.Rounds is
	// the number of rounds of one comparison. Header.Arms and Group are set
	// here. Progress does not know how many rounds will fit the budget.
	compare.Options
	// Arm is compared with itself. It may have no modifiers.
	Arm arm.Arm
	// Budget is the time for all of it; 0 means the default.
	Budget time.Duration
	// Phase, if set, is called at the start of each phase, on Run's goroutine,
	// with the arms to be measured and the time for it.
	Phase func(arms []string, budget time.Duration)
	// Record returns where the record of a phase goes: "aa", "delay1" or
	// "delay2". Whoever gives it closes what is below it.
	Record func(phase string) (*harness.Writer, error)
}

// Check returns an error that names the first option that makes no sense, apart
// from those of the comparisons, which their own Check looks at.
func (o *Options) Check() error {
	switch {
	case o.Arm != arm.Arm{Executor: o.Arm.Executor, Process: o.Arm.Process}:
		return fmt.Errorf("calibrate: arm %s has modifiers other than +process; leave them out", o.Arm)
	case o.Arm.Process: // the delay is spent in the parent there
		return fmt.Errorf("calibrate: arm %s: a delay is not spent in the worker processes, so it would tell nothing of them; leave +process out", o.Arm)
	case o.Header.Rounds < 6:
		return fmt.Errorf("calibrate: comparisons of %d rounds; fewer than 6 find nothing", o.Header.Rounds)
	case o.Budget < 0:
		return fmt.Errorf("calibrate: budget %v is negative", o.Budget)
	}
	return nil
}

// A BudgetError is a budget in which not even one comparison could be measured.
type BudgetError struct {
	Budget time.Duration
	// Rounds is how many rounds came about in the time for one phase, Need how
	// many one comparison has.
	Rounds, Need int
	// Least is the budget that suffices, as far as is known by then; 0 if it is
	// not.
	Least time.Duration
}

// Error says what to change.
func (e *BudgetError) Error() string {
	text := fmt.Sprintf("calibrate: a budget of %v is too small for two comparisons of %d rounds", e.Budget, e.Need)
	if e.Least > 0 {
		text += fmt.Sprintf("; here it takes %v at least", e.Least.Truncate(time.Second)+time.Second)
	}
	return text + "; give more time, a smaller corpus or fewer rounds"
}
