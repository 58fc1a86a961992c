package compare

import (
	"math"
	"slices"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// An OrderEffect says whether it matters to an arm and the baseline which of
// them comes first in a round.
type OrderEffect struct {
	Arm string `json:"arm"`
	// Ratio is the factor by which coming later changes the main row.
	Ratio float64 `json:"ratio"`
	// P is that of the rank-sum test of the two kinds of rounds.
	P float64 `json:"p"`
}

// Matters says whether there is such an effect. As each arm comes first equally
// often it does not favour one, but it says that samples disturb each other.
func (o OrderEffect) Matters() bool { return o.P <= stats.Alpha }

// orderEffects compares, for each arm, the rounds in which it came after the
// baseline with those in which it came before. If coming later costs a factor
// f, an arm's ratio to the baseline is f times the true one in the first and
// 1/f times in the second. Where the rounds are too few to tell there is none.
func (t table) orderEffects() []OrderEffect {
	main := harness.Rows[slices.IndexFunc(harness.Rows, func(r harness.Row) bool { return r.Key == MainKey })]
	var list []OrderEffect
	for _, arm := range t.arms[1:] {
		var before, after []float64
		for _, round := range t.common([]string{t.arms[0], arm}) {
			base, other := t.samples[t.arms[0]][round], t.samples[arm][round]
			ratio := main.Value(other) / main.Value(base)
			if other.Position > base.Position {
				after = append(after, ratio)
			} else {
				before = append(before, ratio)
			}
		}
		if c, ok := stats.UnpairedChange(before, after); ok && c.Interval != nil {
			list = append(list, OrderEffect{Arm: arm, Ratio: math.Sqrt(c.Ratio), P: c.P})
		}
	}
	return list
}
