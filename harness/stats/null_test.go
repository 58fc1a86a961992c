package stats

import (
	"math"
	"testing"
)

// The cuts are those of printed tables of the signed-rank test, two-sided 5 %:
// the critical value plus one.
func TestSignedRankCut(t *testing.T) {
	for n, k := range map[int]int{1: 0, 5: 0, 6: 1, 7: 3, 8: 4, 9: 6, 10: 9, 15: 26, 20: 53, 30: 138} {
		got, level := signedRank(n).cut()
		if got != k {
			t.Errorf("n = %d: cut %d, want %d", n, got, k)
		}
		if k > 0 && (level < Confidence || level > 1) {
			t.Errorf("n = %d: level %v", n, level)
		}
	}
	if _, level := signedRank(6).cut(); level != 1-2./64 {
		t.Errorf("n = 6: level %v, want 62/64", level)
	}
}

// The cuts are those of printed tables of the rank-sum test, two-sided 5 %.
func TestRankSumCut(t *testing.T) {
	for _, c := range []struct{ m, n, k int }{
		{3, 3, 0}, {4, 4, 1}, {3, 5, 1}, {5, 5, 3}, {5, 8, 7}, {8, 5, 7}, {8, 8, 14}, {10, 10, 24}, {20, 20, 128},
	} {
		if got, _ := rankSum(c.m, c.n).cut(); got != c.k {
			t.Errorf("%d and %d: cut %d, want %d", c.m, c.n, got, c.k)
		}
	}
}

// Where the approximation takes over it must not move the cut by more than a
// hair.
func TestNormalApproximation(t *testing.T) {
	n := exactPairs
	compareCuts(t, "pairs", signedRank(n), normal(n*(n+1)/2, float64(n)*float64(n+1)*float64(2*n+1)/24))
	compareCuts(t, "products", rankSum(50, 50), normal(2500, 50*50*101./12))
	if d := signedRank(n + 1); len(d) != (n+1)*(n+2)/2+1 || math.Abs(d[len(d)-1]-1) > 1e-9 {
		t.Errorf("%d pairs: length %d, last %v", n+1, len(d), d[len(d)-1])
	}
}

func compareCuts(t *testing.T, name string, exact, approximate distribution) {
	t.Helper()
	a, _ := exact.cut()
	b, _ := approximate.cut()
	if math.Abs(float64(a-b)) > 2+0.001*float64(a) {
		t.Errorf("%s: cut %d exactly, %d approximately", name, a, b)
	}
}
