package harness_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/harness"
)

func seriesOf(n int) harness.Series {
	var s harness.Series
	for i := range n {
		s.At = append(s.At, time.Duration(i))
		s.RSS = append(s.RSS, uint64((i*7)%n))
		s.Threads = append(s.Threads, (i*3)%n)
	}
	return s
}

func TestThin(t *testing.T) {
	for _, test := range []struct{ points, most, want int }{
		{0, 3, 0}, {3, 3, 3}, {4, 3, 2}, {10, 3, 3}, {1000, 200, 200}, {1001, 200, 167}, {5, 1, 1},
	} {
		r := &harness.Record{Header: harness.Header{Seed: 1}, Samples: []harness.Sample{{Round: 2, Series: seriesOf(test.points)}}}
		thin := harness.Thin(r, test.most)
		s := thin.Samples[0].Series
		if len(s.At) != test.want || len(s.RSS) != test.want || len(s.Threads) != test.want {
			t.Errorf("%d points thinned to at most %d: %d, want %d", test.points, test.most, len(s.At), test.want)
		}
		if diff := cmp.Diff(seriesOf(test.points), r.Samples[0].Series); diff != "" {
			t.Errorf("thinning changed its input: %s", diff)
		}
		if test.points == 0 {
			continue
		}
		full := r.Samples[0].Series
		if slices.Max(s.RSS) != slices.Max(full.RSS) || slices.Max(s.Threads) != slices.Max(full.Threads) || s.At[0] != full.At[0] {
			t.Errorf("%d points: a peak was lost", test.points)
		}
		if again := harness.Thin(thin, test.most).Samples[0].Series; cmp.Diff(s, again) != "" {
			t.Errorf("%d points: thinning twice thins more", test.points)
		}
	}
}
