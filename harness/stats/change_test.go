package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

var base6 = []float64{10, 20, 30, 40, 50, 60}

func scale(x []float64, f float64) []float64 {
	y := make([]float64, len(x))
	for i := range y {
		y[i] = x[i] * f
	}
	return y
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestPairedChange(t *testing.T) {
	for _, f := range []float64{0.5, 1, 3} {
		c, ok := PairedChange(base6, scale(base6, f))
		if !ok || !near(c.Ratio, f) || c.N != 6 || c.Interval == nil || !near(c.Interval.Low, f) || !near(c.Interval.High, f) {
			t.Errorf("factor %v: %+v, %v", f, c, ok)
		}
		// All ratios on one side of 1 are as clear as 6 pairs can be.
		if want := map[bool]float64{true: 1, false: 2. / 64}[f == 1]; c.P != want {
			t.Errorf("factor %v: P = %v, want %v", f, c.P, want)
		}
	}
	if c, ok := PairedChange(base6[:5], scale(base6[:5], 2)); !ok || c.Interval != nil || c.P != 2./32 {
		t.Errorf("5 pairs: %+v, %v, want no interval", c, ok)
	}
	// With 6 pairs the interval runs from the least to the greatest ratio.
	c, _ := PairedChange([]float64{1, 1, 1, 1, 1, 1}, []float64{1.1, 1.2, 1.3, 1.4, 1.5, 1.6})
	if !near(c.Interval.Low, 1.1) || !near(c.Interval.High, 1.6) {
		t.Errorf("interval %+v, want 1.1 to 1.6", c.Interval)
	}
	// One small ratio on the other side: two of 64 subsets of the ranks have a
	// sum of at most 1.
	c, _ = PairedChange([]float64{1, 1, 1, 1, 1, 1}, []float64{0.99, 1.2, 1.3, 1.4, 1.5, 1.6})
	if c.P != 4./64 {
		t.Errorf("P = %v, want 4/64", c.P)
	}
}

func TestUnpairedChange(t *testing.T) {
	c, ok := UnpairedChange([]float64{10, 11, 12, 13}, []float64{20, 22, 24, 26, 28})
	if !ok || c.N != 4 || !near(c.P, 2./126) || c.Interval == nil || c.Interval.Low <= 1 || c.Ratio <= c.Interval.Low || c.Ratio >= c.Interval.High {
		t.Errorf("%+v, %+v, %v", c, c.Interval, ok)
	}
	if c, ok := UnpairedChange(base6, base6); !ok || c.Ratio != 1 || c.P != 1 {
		t.Errorf("the same twice: %+v, %v", c, ok)
	}
	if c, ok := UnpairedChange(base6[:3], base6[3:]); !ok || c.Interval != nil || !near(c.P, 0.1) {
		t.Errorf("3 and 3: %+v, %v, want no interval", c, ok)
	}
}

func TestNoChange(t *testing.T) {
	for _, none := range [][2][]float64{{nil, nil}, {{0}, {1}}, {{1}, {0}}, {{-1}, {1}}, {{math.NaN()}, {1}}, {{1}, {math.Inf(1)}}} {
		if c, ok := PairedChange(none[0], none[1]); ok {
			t.Errorf("PairedChange(%v, %v) = %+v, want none", none[0], none[1], c)
		}
		if c, ok := UnpairedChange(none[0], none[1]); ok {
			t.Errorf("UnpairedChange(%v, %v) = %+v, want none", none[0], none[1], c)
		}
	}
}

// Interval and P must say the same, with ties and zeros too, and exchanging the
// samples must turn the verdict round.
func TestIntervalAndTestAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	opposite := map[Verdict]Verdict{Less: More, More: Less, Same: Same, Inconclusive: Inconclusive, TooNoisy: TooNoisy}
	for _, change := range []func(x, y []float64) (Change, bool){PairedChange, UnpairedChange} {
		for range 2000 {
			n := 4 + rng.IntN(12)
			x, y := make([]float64, n), make([]float64, n)
			for i := range n {
				x[i], y[i] = float64(1+rng.IntN(9)), float64(1+rng.IntN(12))
			}
			c, _ := change(x, y)
			if differs := c.Interval != nil && (c.Interval.Low > 1 || c.Interval.High < 1); differs != (c.P <= Alpha) {
				t.Fatalf("%v %v: %+v, %+v", x, y, c, c.Interval)
			}
			d, _ := change(y, x)
			if got, want := d.Judge(d.P, 0.1), opposite[c.Judge(c.P, 0.1)]; got != want || !near(c.P, d.P) {
				t.Fatalf("%v %v: %+v exchanged %+v", x, y, c, d)
			}
		}
	}
}
