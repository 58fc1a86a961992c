package measure

import (
	"testing"
	"time"
)

func TestLatency(t *testing.T) {
	h := newLatency()
	if l := latencyOf(h); l != nil {
		t.Errorf("of nothing: %+v", l)
	}
	for _, d := range []time.Duration{-1, 0, 900 * time.Nanosecond, 20 * time.Microsecond, 20 * time.Microsecond, 2 * time.Hour} {
		record(h, d)
	}
	l := latencyOf(h)
	var n uint64
	for i, count := range l.Count {
		n += count
		if count == 0 || i > 0 && l.Upto[i] <= l.Upto[i-1] {
			t.Errorf("not ascending, or an empty bucket: %+v", l)
		}
	}
	if n != 6 || len(l.Upto) != len(l.Count) || l.Upto[len(l.Upto)-1] < longest {
		t.Errorf("%d executions in %+v", n, l)
	}
	if got := testing.AllocsPerRun(100, func() { record(h, 12345) }); got != 0 {
		t.Errorf("%v allocations for each execution", got)
	}
}
