package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// The phases' shares of the budget. The second delay is measured only if the
// first one was not found often enough.
const (
	controlShare = 0.55
	delayShare   = 0.30
	againShare   = 0.15
)

// margin is the chance, by what the control tells, with which the delay that is
// really measured should be found. Somewhat more than Power: a delay that is
// just found with the chance Power would miss it half the time.
const margin = 0.95

// Run calibrates. It ends with an error when ctx ends, when findings differ or
// an arm gives no figures (as compare.Summary.Err tells), or with a
// *BudgetError when the budget is too small.
func Run(ctx context.Context, o Options, s compare.Sampler) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	c := &calibration{o: o, sampler: s, start: time.Now()}
	c.result.Rounds = o.Header.Rounds
	if err := c.control(ctx); err != nil {
		return nil, err
	}
	for i, share := range []float64{delayShare, againShare} {
		err := c.delay(ctx, fmt.Sprintf("delay%d", i+1), share)
		if short := (*BudgetError)(nil); i > 0 && errors.As(err, &short) {
			break // the first delay's figures stand, not confirmed
		}
		if err != nil {
			return nil, err
		}
		if c.result.Delay.Confirmed {
			break
		}
	}
	c.result.Took = time.Since(c.start)
	return &c.result, nil
}

// A calibration is one under way.
type calibration struct {
	o       Options
	sampler compare.Sampler
	start   time.Time
	result  Result
	next    time.Duration // the delay to measure
}

// control measures the arm against itself.
func (c *calibration) control(ctx context.Context) error {
	record, p, err := c.measure(ctx, "aa", c.o.Arm.Twin(), controlShare)
	if err != nil {
		return err
	}
	c.result.Header = record.Header
	c.result.Noise = p.noise()
	c.result.False = Tries{
		Pool:      len(p.base),
		AsCame:    p.asCame(stats.Less, stats.More),
		Resampled: p.resample(tries, true, 0, stats.Less, stats.More),
	}
	c.next = possible(p.perExecution(p.smallest(true, 0, margin)))
	return nil
}

// delay measures the arm against itself with the next delay. The smallest delay
// is then what the real one can be cut by (or must be lengthened by).
func (c *calibration) delay(ctx context.Context, phase string, share float64) error {
	delayed := c.o.Arm
	delayed.Delay = c.next
	_, p, err := c.measure(ctx, phase, delayed, share)
	if err != nil {
		return err
	}
	d := Delay{Measured: c.next, Found: Tries{
		Pool:      len(p.base),
		AsCame:    p.asCame(stats.More),
		Resampled: p.resample(tries, false, 0, stats.More),
	}}
	d.Confirmed = d.Found.Resampled.Share() >= Power
	d.Change, _ = stats.PairedChange(p.base, p.other)
	undelayed := -c.next.Seconds() * p.executions
	d.Smallest = possible(c.next + p.perExecution(p.smallest(false, undelayed, Power)))
	d.Effect = d.Smallest.Seconds() * p.executions / stats.Describe(p.base).Median
	c.result.Delay = d
	c.next = possible(c.next + p.perExecution(p.smallest(false, undelayed, margin)))
	return nil
}

// possible is the next delay of three digits that an arm can have.
func possible(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d >= 1000*unit {
		unit *= 10
	}
	return min(max((d+unit-1)/unit*unit, 1), arm.MaxDelay)
}

// perExecution spreads seconds over a sample's executions.
func (p *pool) perExecution(seconds float64) time.Duration {
	return time.Duration(seconds / p.executions * float64(time.Second))
}

// measure takes rounds of the arm and other until its share of the budget is
// used up.
func (c *calibration) measure(ctx context.Context, phase string, other arm.Arm, share float64) (*harness.Record, *pool, error) {
	budget := time.Duration(share * float64(c.o.Budget))
	o := c.o.Options
	o.Group = o.Header.Rounds
	o.Header.Rounds = harness.MaxRounds
	o.Header.Arms = []string{c.o.Arm.String(), other.String()}
	if c.o.Phase != nil {
		c.o.Phase(slices.Clone(o.Header.Arms), budget)
	}
	w, err := c.o.Record(phase)
	if err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	record, err := compare.Run(limited, o, c.sampler, w)
	if err != nil {
		return nil, nil, err
	}
	summary := compare.Summarize(record)
	err = summary.Err()
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case errors.Is(err, compare.ErrFindingsDiffer):
		return nil, nil, err
	case summary.Stopped != "":
		return nil, nil, fmt.Errorf("%w: %s", compare.ErrIncomplete, summary.Stopped)
	}
	c.result.Busy += summary.Busy
	for _, cell := range summary.Main().Cells {
		c.result.Samples += cell.N
	}
	p := poolOf(record, o.Group)
	if len(p.base) < o.Group {
		return nil, nil, &BudgetError{Budget: c.o.Budget, Rounds: len(p.base), Need: o.Group}
	}
	if p.executions == 0 || stats.Describe(p.base).Min <= 0 {
		return nil, nil, fmt.Errorf("%w: no rule was executed, so there is no time to compare", compare.ErrIncomplete)
	}
	return record, p, nil
}
