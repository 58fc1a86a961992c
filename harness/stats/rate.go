package stats

import "gonum.org/v1/gonum/stat/distuv"

// A Rate is how often something happened, with exact bounds (Clopper and
// Pearson): the true rate is at most Upper, and likewise at least Lower, with
// 95 % confidence each.
type Rate struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// RateOf is the rate of count events in so many independent tries.
func RateOf(count, of int) Rate {
	r := Rate{Count: count, Of: of, Upper: 1}
	if count > 0 {
		r.Lower = distuv.Beta{Alpha: float64(count), Beta: float64(of - count + 1)}.Quantile(1 - Confidence)
	}
	if count < of {
		r.Upper = distuv.Beta{Alpha: float64(count + 1), Beta: float64(of - count)}.Quantile(Confidence)
	}
	return r
}

// Share is the rate observed, 0 without a try.
func (r Rate) Share() float64 {
	if r.Of == 0 {
		return 0
	}
	return float64(r.Count) / float64(r.Of)
}
