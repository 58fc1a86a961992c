package report

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report/chart"
)

// latencies is the distribution of the executions' times: a picture and a table
// with a column for each arm.
type latencies struct {
	Picture *picture
	Columns []string
	Rows    []numberRow
}

// longest bounds the executions' times; longer ones count as this long.
const longest = int64(24 * time.Hour)

// latencyPart is nil if the record has no distribution.
func latencyPart(r *harness.Record, s *compare.Summary) (*latencies, error) {
	part := &latencies{}
	var all []*hdrhistogram.Histogram
	var arms []armKey
	c := &chart.Chart{
		Title: "Time of single executions by percentile; the table below has the figures.",
		X:     chart.Axis{Label: "percentile of the executions"},
		Y:     chart.Axis{Label: "at most", Min: math.Inf(1), Max: math.Inf(-1)},
	}
	for i, key := range armsOf(s.Header.Arms) {
		h := histogram(r, s.Header.Arms[i])
		if h.TotalCount() == 0 {
			continue
		}
		arms, part.Columns, all = append(arms, key), append(part.Columns, key.Name), append(all, h)
		line := percentiles(h)
		line.Color = i
		c.Lines = append(c.Lines, line)
		n := len(line.X) - 1
		c.X.Max = max(c.X.Max, line.X[n])
		c.Y.Min, c.Y.Max = min(c.Y.Min, math.Floor(line.Y[0])), max(c.Y.Max, math.Ceil(line.Y[n]+0.01))
	}
	if len(all) == 0 {
		return nil, nil
	}
	c.X.Ticks, c.Y.Ticks = nines(c.X.Max), decades(c.Y.Min, c.Y.Max)
	var err error
	part.Picture, err = drawn(c, "Time of single executions", "Watching included, all rounds together. Both axes are logarithmic, so that the slowest few can be seen.", arms)
	part.Rows = percentileRows(all)
	return part, err
}

// percentiles is the time up to which a share of the executions took, against
// the decimal logarithm of one over the rest: 1 is 90%, 2 is 99%.
func percentiles(h *hdrhistogram.Histogram) chart.Line {
	var line chart.Line
	for x := 0.05; x <= max(1, math.Log10(float64(h.TotalCount()))); x += 0.05 {
		at := h.ValueAtPercentile(100 * (1 - math.Pow(10, -x)))
		line.X = append(line.X, x)
		line.Y = append(line.Y, math.Log10(float64(max(at, 1)))-9) // of seconds
	}
	return line
}

// nines marks 50%, 90%, 99% and so on.
func nines(most float64) []chart.Tick {
	ticks := []chart.Tick{{At: math.Log10(2), Label: "50"}}
	for i := 1; float64(i) <= most; i++ {
		ticks = append(ticks, chart.Tick{At: float64(i), Label: strconv.FormatFloat(100-math.Pow10(2-i), 'f', max(0, i-2), 64)})
	}
	return ticks
}

// decades marks the powers of ten of a second.
func decades(from, to float64) []chart.Tick {
	var ticks []chart.Tick
	for i := from; i <= to; i++ {
		d := time.Duration(math.Round(math.Pow(10, i) * 1e9))
		ticks = append(ticks, chart.Tick{At: i, Label: d.String()})
	}
	return ticks
}

// percentileRows has a row for each percentile. The samples' histograms keep two
// digits: a time is the upper bound of a bucket that is up to a per cent wide.
func percentileRows(all []*hdrhistogram.Histogram) []numberRow {
	rows := []numberRow{{Name: "executions"}}
	for _, h := range all {
		rows[0].Values = append(rows[0].Values, group(strconv.FormatInt(h.TotalCount(), 10)))
	}
	for _, p := range []float64{50, 90, 99, 99.9, 100} {
		row := numberRow{Name: fmt.Sprintf("%g%% took at most", p)}
		if p == 100 {
			row.Name = "the slowest took at most"
		}
		for _, h := range all {
			row.Values = append(row.Values, digits(time.Duration(h.ValueAtPercentile(p))))
		}
		rows = append(rows, row)
	}
	return rows
}

// digits prints a time with three digits, as the table of figures does.
func digits(d time.Duration) string {
	for _, step := range steps[harness.Seconds] {
		if x := d.Seconds() / step.factor; x >= 1 {
			return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Log10(x))), 64) + step.unit
		}
	}
	return d.String()
}

// histogram merges what all timed samples of an arm have.
func histogram(r *harness.Record, arm string) *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, longest, 3)
	for i := range r.Samples {
		s := &r.Samples[i]
		if s.Arm != arm || !timed(s) || s.Figures.Latency == nil {
			continue
		}
		l := s.Figures.Latency
		for j := range min(len(l.Upto), len(l.Count)) {
			// The bounds keep sums of a broken record from overflowing.
			_ = h.RecordValues(min(max(int64(l.Upto[j]), 0), longest), int64(min(l.Count[j], 1<<40))) // in range
		}
	}
	return h
}
