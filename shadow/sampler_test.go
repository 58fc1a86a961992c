package shadow

import (
	"math"
	"testing"
)

// Any share is kept to within a few files over any stretch of them, and for
// files that come around in any period.
func TestPicks(t *testing.T) {
	for _, share := range []float64{0, 1e-3, 0.1, 0.25, 1.0 / 3, 0.5, 0.999, 1} {
		for _, period := range []int{1, 2, 3, 4, 7, 10, 100, 1024} {
			for _, first := range []int{0, 5, 1_000_000_007} {
				const files = 10_000
				picked := 0
				for i := range files {
					if Picks(uint64(first+i*period), share) {
						picked++
					}
				}
				if off := math.Abs(float64(picked) - share*files); off > 12 {
					t.Errorf("share %v, each %d-th file from %d: %d of %d picked", share, period, first, picked, files)
				}
			}
		}
	}
	const last = 0x0e217c1e66c88cc3 // its step is the last one below 2^64
	if Picks(0, 0) || Picks(last, 0) || !Picks(last, 1) || Picks(math.MaxUint64, 0) || !Picks(0, 1) || !Picks(math.MaxUint64, 1) {
		t.Error("0 is none and 1 is all")
	}
}

func TestSampler(t *testing.T) {
	var s Sampler
	for n := range uint64(1000) {
		if s.Pick(0.3) != Picks(n, 0.3) {
			t.Fatalf("file %d", n)
		}
	}
}
