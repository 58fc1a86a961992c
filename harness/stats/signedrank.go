package stats

import "sync"

// signedRankCut returns which order statistics, the k-th from either end, of n
// observations' Walsh means bound an interval of at least Confidence, and the
// true level. k is 0 if even the outermost do not.
func signedRankCut(n int) (k int, level float64) {
	tail := 0.0
	for _, p := range signedRank(n) {
		if 2*(tail+p) > 1-Confidence {
			break
		}
		tail += p
		k++
	}
	return k, 1 - 2*tail
}

var signedRanks sync.Map // int -> []float64: all rows of a report have one n

// signedRank returns the exact distribution of Wilcoxon's signed-rank statistic
// of n observations under the null hypothesis: the chance of each sum of a
// random subset of the ranks 1 to n.
func signedRank(n int) []float64 {
	if p, ok := signedRanks.Load(n); ok {
		return p.([]float64)
	}
	p := make([]float64, n*(n+1)/2+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := rank * (rank + 1) / 2; sum >= 0; sum-- {
			p[sum] /= 2
			if sum >= rank {
				p[sum] += p[sum-rank] / 2
			}
		}
	}
	signedRanks.Store(n, p)
	return p
}
