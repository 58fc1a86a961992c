package stats

import "slices"

// A Description describes a sample. The zero value describes an empty one.
type Description struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
}

// Describe describes x.
func Describe(x []float64) Description {
	if len(x) == 0 {
		return Description{}
	}
	s := slices.Sorted(slices.Values(x))
	return Description{
		N: len(s), Min: s[0], Max: s[len(s)-1],
		Q1: quantile(s, 0.25), Median: quantile(s, 0.5), Q3: quantile(s, 0.75),
	}
}

// Spread is half the range relative to the median, 0 if the median is.
func (d Description) Spread() float64 {
	if d.Median == 0 {
		return 0
	}
	return (d.Max - d.Min) / 2 / d.Median
}

// quantile interpolates between the order statistics of sorted, which is not
// empty: R's type 7, whose 0.5 is the usual median. (The linear interpolation
// of gonum's stat is type 4, which calls 1 the median of 1 and 2.)
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
