package stats

import (
	"math"
	"sync"
)

// A distribution is that of a test's statistic under the null hypothesis: at k
// the chance of k or less. It is symmetric, its length is one more than the
// greatest value.
type distribution []float64

// cut returns which order statistics, the k-th from either end, bound an
// interval of at least Confidence, and the true level. k is 0 if even the
// outermost do not.
func (d distribution) cut() (k int, level float64) {
	for k < len(d)/2 && 2*d[k] <= Alpha {
		k++
	}
	if k == 0 {
		return 0, 1
	}
	return k, 1 - 2*d[k-1]
}

// Above these sizes the normal approximation stands in for the exact
// distribution; it is right to three digits there, and quick.
const (
	exactPairs    = 300
	exactProducts = 2500
)

// Distributions depend on sizes only, and all rows of a report share theirs.
var distributions sync.Map // [2]int -> distribution

func cached(a, b int, make func() distribution) distribution {
	key := [2]int{a, b}
	if d, ok := distributions.Load(key); ok {
		return d.(distribution)
	}
	d := make()
	distributions.Store(key, d)
	return d
}

// signedRank is the distribution of Wilcoxon's signed-rank statistic of n
// observations: the sum of a random subset of the ranks 1 to n.
func signedRank(n int) distribution {
	return cached(n, 0, func() distribution {
		sums := n * (n + 1) / 2
		if n > exactPairs {
			return normal(sums, float64(n)*float64(n+1)*float64(2*n+1)/24)
		}
		p := make([]float64, sums+1)
		p[0] = 1
		for rank := 1; rank <= n; rank++ {
			for sum := rank * (rank + 1) / 2; sum >= 0; sum-- {
				p[sum] /= 2
				if sum >= rank {
					p[sum] += p[sum-rank] / 2
				}
			}
		}
		return accumulate(p)
	})
}

// rankSum is the distribution of the statistic of Mann and Whitney: of all
// pairs of one of m and one of n values in random order, those in which the
// second is greater.
func rankSum(m, n int) distribution {
	return cached(m, -n, func() distribution {
		if m*n > exactProducts {
			return normal(m*n, float64(m)*float64(n)*float64(m+n+1)/12)
		}
		// The greatest value is one of the n with chance j/(i+j), and is then
		// above i others; what is left is the same problem with j-1.
		row := make([][]float64, n+1) // of i values against j
		for j := range row {
			row[j] = []float64{1}
		}
		for i := 1; i <= m; i++ {
			row[0] = []float64{1}
			for j := 1; j <= n; j++ {
				p := make([]float64, i*j+1)
				for u, chance := range row[j] { // of i-1 against j
					p[u] += chance * float64(i) / float64(i+j)
				}
				for u, chance := range row[j-1] {
					p[u+i] += chance * float64(j) / float64(i+j)
				}
				row[j] = p
			}
		}
		return accumulate(row[n])
	})
}

// accumulate turns chances into their running sums, in place.
func accumulate(p []float64) distribution {
	for i := 1; i < len(p); i++ {
		p[i] += p[i-1]
	}
	return p
}

// normal approximates a symmetric distribution over 0 to greatest.
func normal(greatest int, variance float64) distribution {
	d := make(distribution, greatest+1)
	for k := range d {
		z := (float64(k) + 0.5 - float64(greatest)/2) / math.Sqrt(variance)
		d[k] = math.Erfc(-z/math.Sqrt2) / 2
	}
	return d
}
