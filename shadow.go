package ddsabench

import (
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/shadow"
)

// NewShadow starts what compares the answers of the decision's executor with
// those of the other one, which is made with limits unless c.NewExecutor says
// how. It is nil, which takes nothing and may be used like any other, if the
// decision compares nothing. It must be closed. A service whose decision may
// change has a shadow.New for each direction instead: see the example Ladder.
//
// Which files to offer it is the caller's part: a share of
// decision.ShadowSample, by shadow.Sampler or Comparer.Job.
func NewShadow(decision flags.Decision, limits executor.Limits, c shadow.Config) *shadow.Comparer {
	if !decision.Compared() {
		return nil
	}
	if c.NewExecutor == nil {
		c.NewExecutor = func() (executor.Executor, error) {
			return NewArm(string(decision.Value.Other()), limits)
		}
	}
	return shadow.New(c)
}
