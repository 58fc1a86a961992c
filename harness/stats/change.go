package stats

import (
	"math"
	"slices"
)

// Confidence is the least level of an interval. The true level is given with
// it, since an exact method has only certain levels.
const Confidence = 0.95

// Alpha is the level of a test: a P of at most this much is a difference.
const Alpha = 1 - Confidence

// A Change says by which factor one sample differs from another.
type Change struct {
	// Ratio is the estimate: 0.9 is ten per cent less.
	Ratio float64 `json:"ratio"`
	// P is the chance that samples without any difference look at least as
	// different as these. It is at most Alpha exactly if 1 is outside Interval.
	P float64 `json:"p"`
	// N is the number of pairs or, unpaired, of values in the smaller sample.
	N int `json:"n"`
	// Interval is nil where so few values permit none.
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
// positive and finite.
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
	x, xok := logs(base)
	y, yok := logs(other)
	if !xok || !yok {
		return Change{}, false
	}
	for i := range y {
		y[i] -= x[i]
	}
	return estimate(walsh(y), signedRank(len(y)), len(y)), true
}

// UnpairedChange estimates the factor from base to other, where nothing ties
// one value to another. It returns false where PairedChange does.
//
// The method is that of Hodges and Lehmann with the rank-sum test of Wilcoxon,
// Mann and Whitney, on the logarithms: the estimate is the median of all
// differences (the same book, sections 4.1 to 4.3). It assumes that the samples
// differ by a factor, and nothing else. Fewer than 4 values on each side give
// no interval.
func UnpairedChange(base, other []float64) (Change, bool) {
	x, xok := logs(base)
	y, yok := logs(other)
	if !xok || !yok {
		return Change{}, false
	}
	differences := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			differences = append(differences, b-a)
		}
	}
	slices.Sort(differences)
	return estimate(differences, rankSum(len(x), len(y)), min(len(x), len(y))), true
}

// estimate makes a change of contrasts, sorted differences on the logarithmic
// scale. Without a true difference, the number of them above 0 has the
// distribution null. Interval and P are two readings of the same count, so
// they never contradict each other.
func estimate(contrasts []float64, null distribution, n int) Change {
	last := len(contrasts) - 1
	below, _ := slices.BinarySearch(contrasts, 0) // those below 0
	above := 0
	for above <= last && contrasts[last-above] > 0 {
		above++
	}
	// A contrast of exactly 0 counts against a difference, on either side.
	c := Change{
		Ratio: math.Exp(quantile(contrasts, 0.5)),
		P:     min(1, 2*null[min(last+1-below, last+1-above)]),
		N:     n,
	}
	if k, level := null.cut(); k > 0 {
		c.Interval = &Interval{
			Low:        math.Exp(contrasts[k-1]),
			High:       math.Exp(contrasts[last+1-k]),
			Confidence: level,
		}
	}
	return c
}

// logs returns the logarithms of x, false if x is empty or not all of it is
// positive and finite.
func logs(x []float64) ([]float64, bool) {
	y := make([]float64, len(x))
	for i, v := range x {
		if !(v > 0) || math.IsInf(v, 1) { // so that NaN is refused
			return nil, false
		}
		y[i] = math.Log(v)
	}
	return y, len(y) > 0
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
