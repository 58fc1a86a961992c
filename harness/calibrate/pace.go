package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/measure"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// A pacer is a Sampler that ends a phase: after a round, once the soft limit is
// past and there are rounds enough, or at once if they can never be.
type pacer struct {
	compare.Sampler
	end    context.CancelCauseFunc
	began  time.Time
	soft   time.Duration
	warmup int
	enough int
	// refuse returns an error if a phase whose quickest sample took so long
	// cannot succeed.
	refuse func(quickest time.Duration) error

	samples, complete int
	whole             bool // the round has no void sample so far
	quickest          time.Duration
}

// errPast ends a phase that had its time.
var errPast = errors.New("the phase has had its time")

// Run implements compare.Sampler.
func (p *pacer) Run(ctx context.Context, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
	if ctx.Err() != nil {
		return harness.Sample{}, ctx.Err()
	}
	start := time.Now()
	s, err := p.Sampler.Run(ctx, spec, events)
	if err != nil {
		return s, err
	}
	p.whole = (p.samples%2 == 0 || p.whole) && s.Void == nil
	p.samples++
	if took := time.Since(start); p.quickest == 0 || took < p.quickest {
		p.quickest = took
	}
	if p.samples%2 != 0 {
		return s, nil
	}
	if p.whole && p.samples/2 > p.warmup {
		p.complete++
	}
	if p.complete >= p.enough && time.Since(p.began) >= p.soft {
		p.end(errPast)
	}
	if p.samples == 2 && p.whole {
		if err := p.refuse(p.quickest); err != nil {
			p.end(err)
		}
	}
	return s, nil
}

// measure takes rounds of the arm and other until the soft limit, and up to the
// hard one as long as they are too few for a comparison.
func (c *calibration) measure(ctx context.Context, phase string, other arm.Arm, soft, hard time.Duration) (*harness.Record, *pool, error) {
	o := c.o.Options
	o.Group = o.Header.Rounds
	o.Header.Rounds = harness.MaxRounds
	o.Header.Arms = []string{c.o.Arm.String(), other.String()}
	if soft == 0 {
		soft = hard
	}
	if c.o.Phase != nil {
		c.o.Phase(slices.Clone(o.Header.Arms), soft)
	}
	w, err := c.o.Record(phase)
	if err != nil {
		return nil, nil, err
	}
	paced, end := context.WithCancelCause(ctx)
	defer end(nil)
	limited, cancel := context.WithTimeout(paced, hard)
	defer cancel()
	record, err := compare.Run(limited, o, &pacer{
		Sampler: c.sampler, end: end, began: time.Now(), soft: soft,
		warmup: o.Header.Warmup, enough: o.Group, refuse: c.tooSlow,
	}, w)
	if err != nil {
		return nil, nil, err
	}
	summary := compare.Summarize(record)
	err = summary.Err()
	short := (*BudgetError)(nil)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case errors.Is(err, compare.ErrFindingsDiffer):
		return nil, nil, err
	case summary.Stopped != "":
		return nil, nil, fmt.Errorf("%w: %s", compare.ErrIncomplete, summary.Stopped)
	case errors.As(context.Cause(paced), &short):
		return nil, nil, short
	}
	c.result.Busy += summary.Busy
	for _, cell := range summary.Main().Cells {
		c.result.Samples += cell.N
	}
	p := poolOf(record, o.Group)
	if len(p.base) < o.Group {
		return nil, nil, &BudgetError{Budget: c.o.Budget, Rounds: len(p.base), Need: o.Group, Least: c.least(roundTime(record))}
	}
	if p.executions == 0 || stats.Describe(p.base).Min <= 0 {
		return nil, nil, fmt.Errorf("%w: no rule was executed, so there is no time to compare", compare.ErrIncomplete)
	}
	return record, p, nil
}

// tooSlow returns an error if rounds of two such samples cannot be enough.
func (c *calibration) tooSlow(quickest time.Duration) error {
	if least := c.least(2 * quickest); least > c.o.Budget {
		return &BudgetError{Budget: c.o.Budget, Need: c.o.Header.Rounds, Least: least}
	}
	return nil
}

// least is the budget in which rounds that take so long are enough for one
// comparison in either phase; 0 if nobody knows how long they take. The delay's
// phase has less time than the control's.
func (c *calibration) least(round time.Duration) time.Duration {
	least := time.Duration(c.needed()) * round
	return time.Duration(float64(least) / (measuring - controlShare))
}

// roundTime is how long a round of the record took, 0 if none was complete.
func roundTime(r *harness.Record) time.Duration {
	if len(r.Samples) < 2 {
		return 0
	}
	var took time.Duration
	for _, s := range r.Samples {
		took += s.End - s.Start
	}
	return time.Duration(math.Round(2 * float64(took) / float64(len(r.Samples))))
}
