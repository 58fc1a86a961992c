package flags

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"sync"
	"testing"
)

const keys = 100_000

// names are the targeting keys, made once.
var names = sync.OnceValue(func() []string {
	all := make([]string, keys)
	for i := range all {
		all[i] = fmt.Sprintf("github.com/owner-%d/repository", i)
	}
	return all
})

// A key's bucket is a promise: users stay on their side across releases.
func TestBucketNeverChanges(t *testing.T) {
	for _, c := range []struct {
		flag, key string
		bucket    int
	}{
		{Key, "shop", 6431},
		{Key, "", 6872},
		{"another-flag", "shop", 6261},
	} {
		if got := Bucket(c.flag, c.key); got != c.bucket {
			t.Errorf("bucket of %q in %s: %d, want %d", c.key, c.flag, got, c.bucket)
		}
		// The definition, in other words than the code's.
		sum := sha256.Sum256([]byte(c.flag + "\x00" + c.key))
		n := new(big.Int).SetBytes(sum[:8])
		if want := n.Mod(n, big.NewInt(Buckets)).Int64(); int64(c.bucket) != want {
			t.Errorf("bucket of %q in %s is %d by its definition", c.key, c.flag, want)
		}
	}
}

// A share takes in that share of the keys, within 3 standard deviations, and
// growing it only adds keys.
func TestShares(t *testing.T) {
	in := make([]bool, keys)
	for _, percent := range []float64{0, 0.01, 1, 10, 50, 99.99, 100} {
		s, err := ParseSetting(fmt.Sprintf("%v%%", percent))
		if err != nil {
			t.Fatal(err)
		}
		members := 0
		for i, key := range names() {
			member := s.For(key) == VariantDDSA
			if in[i] && !member {
				t.Fatalf("%s is not a member at %s, though it was one below", key, s)
			}
			if in[i] = member; member {
				members++
			}
		}
		p := percent / 100
		want, sigma := keys*p, math.Sqrt(keys*p*(1-p))
		t.Logf("%-6s %6d of %d keys; expected %.0f, off by %.2f sigma", s, members, keys, want, (float64(members)-want)/max(sigma, 1))
		// A normal distribution says nothing of a handful of keys: the buckets'
		// own test does.
		if sigma > 10 && math.Abs(float64(members)-want) > 3*sigma {
			t.Errorf("%s: %d members; want %.0f ± %.0f", s, members, want, 3*sigma)
		}
	}
}

// Being a member in one flag says nothing about another flag: the chi-square of
// the table of both, one degree of freedom, stays below its 0.999 quantile, and
// so does that of the buckets, which are to be equally full.
func TestFlagsAreIndependent(t *testing.T) {
	for _, percent := range []int{1, 10, 50} {
		var seen [2][2]float64
		for _, key := range names() {
			a, b := 0, 0
			if Bucket(Key, key) < percent*100 {
				a = 1
			}
			if Bucket("another-flag", key) < percent*100 {
				b = 1
			}
			seen[a][b]++
		}
		chi := 0.0
		for a := range 2 {
			for b := range 2 {
				want := (seen[a][0] + seen[a][1]) * (seen[0][b] + seen[1][b]) / keys
				chi += (seen[a][b] - want) * (seen[a][b] - want) / want
			}
		}
		t.Logf("%d %%: chi-square %.2f", percent, chi)
		if chi > 10.83 {
			t.Errorf("%d %%: the flags' members go together: %v, chi-square %.1f", percent, seen, chi)
		}
	}
}

func TestBucketsAreEquallyFull(t *testing.T) {
	var full [Buckets]float64
	for _, key := range names() {
		full[Bucket(Key, key)]++
	}
	chi, want := 0.0, float64(keys)/Buckets
	for _, n := range full {
		chi += (n - want) * (n - want) / want
	}
	// With 9,999 degrees of freedom chi-square is all but normal.
	z := (chi - (Buckets - 1)) / math.Sqrt(2*(Buckets-1))
	t.Logf("%.2f sigma", z)
	if math.Abs(z) > 3 {
		t.Errorf("chi-square of the buckets is %.0f, %.1f sigma off", chi, z)
	}
}
