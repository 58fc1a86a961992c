package calibrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// The control and the first delay get shares of the budget, the latter all that
// is left if its share is too short for one comparison. The second delay,
// measured only if the first was not found often enough, gets what is left. The
// judging at the end needs a little.
const (
	controlShare = 0.55
	delayShare   = 0.30
	measuring    = 0.98
)

// margin is the chance, by what the control tells, with which the delay that is
// really measured should be found. Somewhat more than Power: a delay that is
// just found with the chance Power would miss it half the time.
const margin = 0.95

// Run calibrates. It ends with an error when ctx ends (and then with what is
// known, if that is the arm against itself), when findings differ or an arm gives
// no figures (as compare.Summary.Err tells), or with a *BudgetError when the
// budget is too small for the arm against itself; mostly that is known after the
// first round. If it suffices for that there is a result
// in time, with a delay that is confirmed or not.
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
	for i, soft := range []time.Duration{c.share(delayShare), 0} {
		err := c.delay(ctx, fmt.Sprintf("delay%d", i+1), soft)
		if short := (*BudgetError)(nil); errors.As(err, &short) {
			break // what is known stands, not confirmed
		}
		if err != nil && ctx.Err() != nil {
			return c.ended(), err
		}
		if err != nil {
			return nil, err
		}
		if c.result.Delay.Confirmed {
			break
		}
	}
	return c.ended(), nil
}

func (c *calibration) ended() *Result {
	c.result.Took = time.Since(c.start)
	return &c.result
}

// A calibration is one under way.
type calibration struct {
	o       Options
	sampler compare.Sampler
	start   time.Time
	result  Result
	next    time.Duration // the delay to measure
	// round is how long a round of the arm against itself took, executions how
	// many a sample makes.
	round      time.Duration
	executions float64
}

// share is a share of the budget.
func (c *calibration) share(of float64) time.Duration { return time.Duration(of * float64(c.o.Budget)) }

// left is how long may still be measured.
func (c *calibration) left() time.Duration { return c.share(measuring) - time.Since(c.start) }

// control measures the arm against itself. The smallest delay is an estimate
// from that alone, until a real one is measured.
func (c *calibration) control(ctx context.Context) error {
	record, p, err := c.measure(ctx, "aa", c.o.Arm.Twin(), c.share(controlShare), c.share(controlShare))
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
	c.result.Control, _ = stats.PairedChange(p.base, p.other)
	c.round, c.executions = roundTime(record), p.executions
	d := &c.result.Delay
	d.Smallest = possible(p.perExecution(p.smallest(true, 0, Power)))
	d.Effect = p.effect(p.inAll(d.Smallest))
	c.next = possible(p.perExecution(p.smallest(true, 0, margin)))
	return nil
}

// delay measures the arm against itself with the next delay. The smallest delay
// is then the share of the real one whose share of its cost is still found (or,
// beyond 1, that must be).
func (c *calibration) delay(ctx context.Context, phase string, soft time.Duration) error {
	delayed := c.o.Arm
	delayed.Delay = min(c.next, c.affordable())
	if delayed.Delay <= 0 {
		return &BudgetError{Budget: c.o.Budget, Need: c.o.Header.Rounds}
	}
	_, p, err := c.measure(ctx, phase, delayed, soft, c.left())
	if err != nil {
		return err
	}
	d := Delay{Measured: delayed.Delay, Found: Tries{
		Pool:      len(p.base),
		AsCame:    p.asCame(stats.More),
		Resampled: p.resample(tries, false, 0, stats.More),
	}}
	d.Confirmed = d.Found.Resampled.Share() >= Power && len(p.base) >= enough*p.size
	d.Change, _ = stats.PairedChange(p.base, p.other)
	// What the delay cost in fact, since that may differ from what it should:
	// its processor may be taken away meanwhile.
	cost := (d.Change.Ratio - 1) * stats.Describe(p.base).Median
	if nominal := p.inAll(d.Measured); !(cost > nominal/2) {
		cost = nominal // lost in the noise
	}
	smallest := func(power float64) (delay time.Duration, effect float64) {
		added := cost + p.smallest(false, -cost, power)
		return possible(time.Duration(added / cost * float64(d.Measured))), p.effect(added)
	}
	d.Smallest, d.Effect = smallest(Power)
	c.next, _ = smallest(margin)
	c.result.Delay = d
	return nil
}

// affordable is the longest delay with which the rounds of one comparison fit
// into the time that is left.
func (c *calibration) affordable() time.Duration {
	// The slow arm's part of a round, less what it takes without a delay.
	spare := c.left()/time.Duration(c.needed()) - c.round
	return time.Duration(float64(spare) * float64(c.o.Header.Workers) / c.executions)
}

// needed is how many rounds a phase must have time for.
func (c *calibration) needed() int { return c.o.Header.Warmup + c.o.Header.Rounds + 1 }

// possible is the next delay of three digits that an arm can have.
func possible(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d >= 1000*unit {
		unit *= 10
	}
	return min(max((d+unit-1)/unit*unit, 1), arm.MaxDelay)
}
