package stats

import (
	"math"
	"slices"
)

// A Verdict is what a change amounts to.
type Verdict string

// The verdicts. They are defined by Judge.
const (
	Less         Verdict = "less"
	More         Verdict = "more"
	Same         Verdict = "same"
	Inconclusive Verdict = "inconclusive"
	TooNoisy     Verdict = "too noisy"
)

// hopeless is how many times the values one would have to take, at least, for
// a change to be too noisy. An interval shrinks with the root of their number.
const hopeless = 10

// Judge says what the change amounts to. p is c.P, or what a correction for the
// number of tests made of it. minEffect is the least change that matters: 0.01
// makes a difference of factors between 1/1.01 and 1.01. (On the logarithmic
// scale, so that exchanging the samples turns the verdict round.)
//
//   - Same: the whole interval lies within the minimum effect. Whether the rest
//     of a difference is real does not matter then.
//   - Less or More: p is at most Alpha, so there is a difference, and the
//     estimate of it reaches the minimum effect.
//   - TooNoisy: neither, the interval reaches into the minimum effect, and ten
//     times the values would not make it narrow enough for Same, even about 1.
//     Less noise is needed, not more values.
//   - Inconclusive: anything else, also where there is no interval, and where the
//     interval shows a difference for which p, of few values, is not small enough.
func (c Change) Judge(p, minEffect float64) Verdict {
	if c.Interval == nil {
		return Inconclusive
	}
	effect, limit := math.Log(c.Ratio), math.Log1p(minEffect)
	low, high := math.Log(c.Interval.Low), math.Log(c.Interval.High)
	switch {
	case low >= -limit && high <= limit:
		return Same
	case p <= Alpha && effect >= limit:
		return More
	case p <= Alpha && effect <= -limit:
		return Less
	case limit > 0 && low < limit && high > -limit && (high-low)/2 > limit*math.Sqrt(hopeless):
		return TooNoisy
	}
	return Inconclusive
}

// Holm corrects the P values of several tests, so that the chance of even one
// false difference among them stays at most Alpha, however they depend on each
// other. It returns them in the order given.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return i - j
	})
	adjusted := make([]float64, len(p))
	floor := 0.0
	for rank, i := range order {
		floor = max(floor, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = floor
	}
	return adjusted
}

// LeastP is the smallest P that n pairs can have.
func LeastP(n int) float64 { return min(1, math.Ldexp(2, -n)) }

// LeastUnpairedP is the smallest P that m values against n can have.
func LeastUnpairedP(m, n int) float64 { return min(1, 2*rankSum(m, n)[0]) }
