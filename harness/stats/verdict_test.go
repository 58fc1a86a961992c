package stats

import (
	"math"
	"testing"
)

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		low, ratio, high, p, minEffect float64
		want                           Verdict
	}{
		"clear":                        {0.80, 0.85, 0.90, 0.01, 0.01, Less},
		"clear the other way":          {1.10, 1.15, 1.20, 0.01, 0.01, More},
		"estimate reaches the minimum": {0.97, 0.98, 0.995, 0.01, 0.01, Less},
		"estimate does not":            {0.980, 0.992, 0.999, 0.01, 0.01, Inconclusive},
		"real, and too small":          {0.992, 0.995, 0.998, 0.01, 0.01, Same},
		"none":                         {0.995, 1.000, 1.005, 0.90, 0.01, Same},
		"one end outside":              {0.980, 1.000, 1.005, 0.90, 0.01, Inconclusive},
		"corrected away":               {0.80, 0.85, 0.90, 0.20, 0.10, Inconclusive},
		"10 times would not do":        {0.96, 1.000, 1.040, 0.90, 0.01, TooNoisy},
		"10 times would do":            {0.97, 1.000, 1.030, 0.90, 0.01, Inconclusive},
		"noisy but clear":              {0.40, 0.60, 0.90, 0.01, 0.01, Less},
		"noisy, clear, few values":     {0.40, 0.60, 0.90, 0.06, 0.01, Inconclusive},
		"no minimum":                   {0.999, 0.9995, 0.9999, 0.01, 0, Less},
		"no minimum, no difference":    {0.5, 1, 2, 0.9, 0, Inconclusive},
	} {
		change := Change{Ratio: c.ratio, P: c.p, N: 10, Interval: &Interval{Low: c.low, High: c.high}}
		if got := change.Judge(c.p, c.minEffect); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := (Change{Ratio: 0.5, P: 0.06, N: 5}).Judge(0.06, 0.01); got != Inconclusive {
		t.Errorf("no interval: %s", got)
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.03}, []float64{0.03}},
		// The example of the textbooks: times 4, 3, 2, 1, never falling.
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.9, 0.5}, []float64{1, 1, 1}},
	} {
		got := Holm(c.p)
		for i := range c.want {
			if len(got) != len(c.want) || math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
				break
			}
		}
	}
}

// The bounds are those of R's binom.test(k, n, alternative = ...).
func TestRateOf(t *testing.T) {
	for _, c := range []struct {
		count, of    int
		lower, upper float64
	}{
		{0, 0, 0, 1},
		{0, 20, 0, 1 - math.Pow(0.05, 1./20)},
		{20, 20, math.Pow(0.05, 1./20), 1},
		{1, 10, 1 - math.Pow(0.95, 1./10), 0.39416},
		{5, 100, 0.01991, 0.10225},
	} {
		got := RateOf(c.count, c.of)
		if math.Abs(got.Lower-c.lower) > 1e-5 || math.Abs(got.Upper-c.upper) > 1e-5 {
			t.Errorf("%d of %d: %+v, want %v to %v", c.count, c.of, got, c.lower, c.upper)
		}
	}
	if s := RateOf(0, 0).Share(); s != 0 {
		t.Errorf("share of none is %v", s)
	}
	if s := RateOf(1, 4).Share(); s != 0.25 {
		t.Errorf("share %v", s)
	}
}
