package calibrate

import (
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness/stats"
)

// Comparisons drawn from hardly more rounds than they have still vary.
func TestResampleVaries(t *testing.T) {
	p := &pool{size: 6, seed: 1}
	for _, other := range []float64{1.02, 1.03, 1.05, 1.04, 1.06, 0.99, 1.03} {
		p.base, p.other = append(p.base, 1), append(p.other, other)
		p.baseFirst, p.round = append(p.baseFirst, true), append(p.round, len(p.round))
	}
	if share := p.resample(1000, false, 0, stats.More).Share(); share < 0.2 || share > 0.8 {
		t.Errorf("found in a share of %v", share)
	}
}

func TestPossible(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		-5: 1, 0: 1, 1: 1, 999: 999, 1000: 1000, 1001: 1010, 209318: 210000, 500140: 501000, 2 * time.Second: time.Second,
	} {
		if got := possible(d); got != want {
			t.Errorf("%d: %d, want %d", d, got, want)
		}
	}
}
