package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// maxVoid is how many samples of one arm may be void in a row before the
// comparison ends: an arm that cannot run would cost hours.
const maxVoid = 3

// Run takes all samples, the counted pass last, one after the other, writes each
// to w as it comes, and returns the record. It ends early, with a record that says so, when ctx ends,
// when findings differ (then it finds out where), or when an arm's samples stay
// void. An error means that the record could not be written, no child could be
// started, or the options make no sense.
func Run(ctx context.Context, o Options, s Sampler, w *harness.Writer) (*harness.Record, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	c := &comparison{Options: o, sampler: s, writer: w, void: map[string]int{}}
	c.start = time.Now()
	c.record.Header = o.Header
	c.record.Header.Schema = harness.Schema
	c.record.Header.FindingsMethod = measure.FindingsMethod
	c.record.Header.Started = c.start.UTC()
	if err := w.Header(c.record.Header); err != nil {
		return nil, err
	}
	stopped, err := c.rounds(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.record.Closing = &harness.Closing{
		Ended: time.Now().UTC(), Interrupted: ctx.Err() != nil, Stopped: stopped, Load: measure.Load(),
	}
	if err := w.Closing(*c.record.Closing); err != nil {
		return nil, err
	}
	return &c.record, nil
}

// A comparison is one under way.
type comparison struct {
	Options
	sampler Sampler
	writer  *harness.Writer
	record  harness.Record
	start   time.Time
	void    map[string]int // void samples in a row, by arm
}

// rounds runs all rounds and returns why it ended before the last one.
func (c *comparison) rounds(ctx context.Context) (stopped string, err error) {
	h := c.Header
	rng := rand.New(rand.NewPCG(h.Seed, 0))
	plan := append(orders(len(h.Arms), h.Warmup, rng), grouped(len(h.Arms), h.Rounds, c.Group, rng)...)
	if c.Counting != nil {
		plan = append(plan, inTurn(len(h.Arms)))
	}
	for round, order := range plan {
		for position, arm := range order {
			s, err := c.sample(ctx, round, position, h.Arms[arm])
			if err != nil {
				return "", err
			}
			c.record.Samples = append(c.record.Samples, s)
			if err := c.writer.Sample(s); err != nil {
				return "", err
			}
			if c.void[s.Arm] == maxVoid && !s.Traced {
				return fmt.Sprintf("%d samples of %s in a row gave no figures", maxVoid, s.Arm), nil
			}
		}
		if a, b := disagreeing(c.record.Samples); a != nil {
			return "findings differ", c.locate(ctx, a, b)
		}
	}
	return "", nil
}

func (c *comparison) sample(ctx context.Context, round, position int, arm string) (harness.Sample, error) {
	h := c.Header
	rounds, sampler, traced := h.Warmup+h.Rounds, c.sampler, round == h.Warmup+h.Rounds
	if traced {
		sampler = c.Counting
	}
	if c.Counting != nil {
		rounds++
	}
	p := Progress{
		Sample: len(c.record.Samples) + 1, Samples: rounds * len(h.Arms),
		Round: round + 1, Rounds: rounds,
		Arm: arm, Warmup: round < h.Warmup, Traced: traced,
	}
	c.say(p)
	before, start := measure.Load(), time.Since(c.start)
	s, err := sampler.Run(ctx, c.spec(arm), c.events(p))
	if err != nil {
		return s, err
	}
	s.Start, s.End, s.LoadBefore, s.LoadAfter = start, time.Since(c.start), before, measure.Load()
	s.Round, s.Position, s.Arm, s.Warmup, s.Traced = round, position, arm, round < h.Warmup, traced
	if s.Void == nil {
		c.void[arm] = 0
		return s, nil
	}
	if !traced { // all others are there by then
		c.void[arm]++
	}
	p.Void = s.Void.String()
	c.say(p)
	return s, nil
}

func (c *comparison) say(p Progress) {
	if c.Progress != nil {
		c.Progress(p)
	}
}

// events passes a child's progress on.
func (c *comparison) events(p Progress) measure.Events {
	return measure.Events{Progress: func(done, files int) {
		p.Done, p.Files = done, files
		c.say(p)
	}}
}
