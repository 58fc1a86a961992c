package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ddsabench/ddsabench/harness"
)

// Executions are told apart from a nanosecond to an hour, to within a per cent:
// more digits would make the record large, and no run repeats them.
const (
	longest = time.Hour
	digits  = 2
)

// newLatency takes all its memory at once, so that recording takes none.
func newLatency() *hdrhistogram.Histogram { return hdrhistogram.New(1, int64(longest), digits) }

// record adds one execution. It is called by the goroutine that takes the
// results, not by those that execute, and so costs no arm anything while it is
// timed.
func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(int64(min(max(d, 0), longest))) // in range
}

// latencyOf are the buckets that hold any execution; nil if none does.
func latencyOf(h *hdrhistogram.Histogram) *harness.Latency {
	if h.TotalCount() == 0 {
		return nil
	}
	l := &harness.Latency{}
	for _, bar := range h.Distribution() {
		if bar.Count > 0 {
			l.Upto, l.Count = append(l.Upto, time.Duration(bar.To)), append(l.Count, uint64(bar.Count))
		}
	}
	return l
}
