package compare

import (
	"cmp"
	"context"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// maxDifferences is how many differing pairs are kept.
const maxDifferences = 10

// disagreeing returns two samples with different findings, the first of them
// the earliest sample; nil if all agree. Warm-up samples count here.
func disagreeing(samples []harness.Sample) (a, b *harness.Sample) {
	for i := range samples {
		s := &samples[i]
		switch {
		case s.Figures == nil:
		case a == nil:
			a = s
		case s.Figures.Findings != a.Figures.Findings:
			return a, s
		}
	}
	return nil, nil
}

// locate runs the arms of two disagreeing samples once more, has them tell all
// findings, and records the first pairs on which they differ. There may be
// none: findings that depend on chance or on load need not differ again.
func (c *comparison) locate(ctx context.Context, a, b *harness.Sample) error {
	says := [2]map[harness.Pair]harness.Finding{{}, {}}
	for i, arm := range []string{a.Arm, b.Arm} {
		p := Progress{Arm: arm, Locating: true}
		c.say(p)
		spec := c.spec(arm)
		spec.Findings = true
		events := c.events(p)
		events.Finding = func(p harness.Pair, f harness.Finding) { says[i][p] = f }
		s, err := c.sampler.Run(ctx, spec, events)
		if err != nil {
			return err
		}
		if s.Void != nil {
			p.Void = s.Void.String()
			c.say(p)
			return nil // what was found so far would look like a difference
		}
	}
	for _, d := range differences(says[0], says[1], a.Arm, b.Arm) {
		c.record.Differences = append(c.record.Differences, d)
		if err := c.writer.Difference(d); err != nil {
			return err
		}
	}
	return nil
}

// differences returns the first pairs, in order, on which a and b differ.
func differences(a, b map[harness.Pair]harness.Finding, armA, armB string) []harness.Difference {
	var list []harness.Difference
	add := func(p harness.Pair) {
		d := harness.Difference{Pair: p, A: orNothing(a, p, armA), B: orNothing(b, p, armB)}
		if d.A.Outcome != d.B.Outcome || d.A.Digest != d.B.Digest {
			list = append(list, d)
		}
	}
	for p := range a {
		add(p)
	}
	for p := range b {
		if _, both := a[p]; !both {
			add(p)
		}
	}
	slices.SortFunc(list, func(x, y harness.Difference) int {
		return cmp.Or(cmp.Compare(x.Language, y.Language), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Rule, y.Rule))
	})
	return list[:min(len(list), maxDifferences)]
}

// orNothing is what an arm says of p; a pair that it does not name ended well
// and found nothing.
func orNothing(says map[harness.Pair]harness.Finding, p harness.Pair, arm string) harness.Finding {
	if f, ok := says[p]; ok {
		return f
	}
	return harness.Finding{Arm: arm, Outcome: executor.OK.String()}
}
