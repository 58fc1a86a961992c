package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want Description
	}{
		{nil, Description{}},
		{[]float64{3}, Description{1, 3, 3, 3, 3, 3}},
		{[]float64{2, 1}, Description{2, 1, 1.25, 1.5, 1.75, 2}},
		{[]float64{5, 1, 4, 2, 3}, Description{5, 1, 2, 3, 4, 5}},
	} {
		if got := Describe(c.x); got != c.want {
			t.Errorf("Describe(%v) = %+v, want %+v", c.x, got, c.want)
		}
	}
	if got := Describe([]float64{8, 10, 12}).Spread(); got != 0.2 {
		t.Errorf("spread of 8, 10, 12 is %v, want 0.2", got)
	}
	if got := Describe([]float64{0, 0, 3}).Spread(); got != 0 {
		t.Errorf("spread about 0 is %v, want 0", got)
	}
}

// The cuts are those of printed tables of the signed-rank test, two-sided 5 %:
// the critical value plus one.
func TestSignedRankCut(t *testing.T) {
	for n, k := range map[int]int{1: 0, 5: 0, 6: 1, 7: 3, 8: 4, 9: 6, 10: 9, 15: 26, 20: 53, 30: 138} {
		got, level := signedRankCut(n)
		if got != k {
			t.Errorf("n = %d: cut %d, want %d", n, got, k)
		}
		if k > 0 && (level < Confidence || level > 1) {
			t.Errorf("n = %d: level %v", n, level)
		}
	}
	if _, level := signedRankCut(6); level != 1-2./64 {
		t.Errorf("n = 6: level %v, want 62/64", level)
	}
}

func TestPairedChange(t *testing.T) {
	base := []float64{10, 20, 30, 40, 50, 60}
	scale := func(f float64) []float64 {
		y := make([]float64, len(base))
		for i := range y {
			y[i] = base[i] * f
		}
		return y
	}
	for _, f := range []float64{0.5, 1, 3} {
		c, ok := PairedChange(base, scale(f))
		if !ok || math.Abs(c.Ratio-f) > 1e-12 || c.N != 6 || c.Interval == nil ||
			math.Abs(c.Interval.Low-f) > 1e-12 || math.Abs(c.Interval.High-f) > 1e-12 {
			t.Errorf("factor %v: %+v, %v", f, c, ok)
		}
	}
	if c, ok := PairedChange(base[:5], scale(2)[:5]); !ok || c.Interval != nil {
		t.Errorf("5 pairs: %+v, %v, want no interval", c, ok)
	}
	for _, none := range [][2][]float64{{nil, nil}, {{0}, {1}}, {{1}, {0}}, {{-1}, {1}}} {
		if c, ok := PairedChange(none[0], none[1]); ok {
			t.Errorf("PairedChange(%v, %v) = %+v, want none", none[0], none[1], c)
		}
	}
	// With 6 pairs the interval runs from the least to the greatest ratio.
	c, _ := PairedChange([]float64{1, 1, 1, 1, 1, 1}, []float64{1.1, 1.2, 1.3, 1.4, 1.5, 1.6})
	if math.Abs(c.Interval.Low-1.1) > 1e-12 || math.Abs(c.Interval.High-1.6) > 1e-12 {
		t.Errorf("interval %+v, want 1.1 to 1.6", c.Interval)
	}
}

// Two equal arms must be told apart at most as often as the level says, however
// the noise is distributed and even if it drifts, as long as each block's order
// is random. The seed is fixed and was not searched for.
func TestFalseFindings(t *testing.T) {
	const trials = 2000
	rng := rand.New(rand.NewPCG(1, 1))
	noises := map[string]func(slot int) float64{
		"normal":     func(int) float64 { return 100 + 5*rng.NormFloat64() },
		"log-normal": func(int) float64 { return math.Exp(rng.NormFloat64()) },
		"bimodal":    func(int) float64 { return 100 + 30*float64(rng.IntN(2)) + rng.NormFloat64() },
		"drifting":   func(slot int) float64 { return 100 + 2*float64(slot) + rng.NormFloat64() },
	}
	for _, name := range []string{"normal", "log-normal", "bimodal", "drifting"} {
		for _, n := range []int{6, 10, 20} {
			found := 0
			for range trials {
				x := [2][]float64{make([]float64, n), make([]float64, n)}
				for i := range n {
					first := rng.IntN(2)
					x[first][i] = noises[name](2 * i)
					x[1-first][i] = noises[name](2*i + 1)
				}
				if c, _ := PairedChange(x[0], x[1]); c.Interval.Low > 1 || c.Interval.High < 1 {
					found++
				}
			}
			// 5 % plus three standard errors of this many trials.
			if rate := float64(found) / trials; rate > 0.05+3*math.Sqrt(0.05*0.95/trials) {
				t.Errorf("%s noise, n = %d: %.1f %% false findings", name, n, 100*rate)
			}
		}
	}
}
