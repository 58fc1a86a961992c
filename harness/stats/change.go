package stats

import (
	"math"
	"slices"
)

// Confidence is the least level of an interval. The true level is given with
// it, since an exact method has only certain levels.
const Confidence = 0.95

// A Change says by which factor one sample differs from another.
type Change struct {
	// Ratio is the estimate: 0.9 is ten per cent less.
	Ratio float64 `json:"ratio"`
	// N is the number of pairs.
	N int `json:"n"`
	// Interval is nil where so few pairs permit none.
	Interval *Interval `json:"interval,omitempty"`
}

// An Interval holds the true ratio with the given confidence.
type Interval struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
}

// PairedChange estimates the factor from base to other, where base[i] and
// other[i] were measured side by side. Both must have the same length. It
// returns false if there is no pair or no ratio, because a value is not
// positive.
//
// The method is that of Hodges and Lehmann with Wilcoxon's signed-rank test, on
// the logarithms of the ratios: the estimate is the median of the means of all
// pairs of them (each with itself too), and the interval runs between two order
// statistics of these means, chosen by the test's exact distribution (Hollander,
// Wolfe, Chicken: Nonparametric Statistical Methods, 3rd ed., sections 3.2 and
// 3.3). It assumes that a log ratio is distributed symmetrically, not how. In a
// block whose order is drawn at random, that follows from the null hypothesis:
// exchanging two equal arms changes only the sign. Fewer than 6 pairs never
// reach 95 %, so there is no interval then. With ties the level is at least
// the one given.
func PairedChange(base, other []float64) (Change, bool) {
	if len(base) == 0 {
		return Change{}, false
	}
	logs := make([]float64, len(base))
	for i := range base {
		if base[i] <= 0 || other[i] <= 0 {
			return Change{}, false
		}
		logs[i] = math.Log(other[i] / base[i])
	}
	means := walsh(logs)
	c := Change{Ratio: math.Exp(quantile(means, 0.5)), N: len(logs)}
	if k, level := signedRankCut(len(logs)); k > 0 {
		c.Interval = &Interval{
			Low:        math.Exp(means[k-1]),
			High:       math.Exp(means[len(means)-k]),
			Confidence: level,
		}
	}
	return c, true
}

// walsh returns the means of all pairs of x, each with itself too, sorted.
func walsh(x []float64) []float64 {
	means := make([]float64, 0, len(x)*(len(x)+1)/2)
	for i := range x {
		for j := range i + 1 {
			means = append(means, (x[i]+x[j])/2)
		}
	}
	slices.Sort(means)
	return means
}
