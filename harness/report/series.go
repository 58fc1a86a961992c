package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report/chart"
)

// A track is one of the sampled series.
type track struct {
	heading, unit string
	values        func(*harness.Series) []float64
}

func threads(r *harness.Record, s *compare.Summary) (*picture, error) {
	return overTime(r, s, track{"OS threads over time", "OS threads", func(x *harness.Series) []float64 {
		return scaled(x.Threads, 1)
	}})
}

func resident(r *harness.Record, s *compare.Summary) (*picture, error) {
	return overTime(r, s, track{"Resident memory over time", "MiB", func(x *harness.Series) []float64 {
		return scaled(x.RSS, 1<<20)
	}})
}

func scaled[T int | uint64](list []T, unit float64) []float64 {
	values := make([]float64, len(list))
	for i, x := range list {
		values[i] = float64(x) / unit
	}
	return values
}

// overTime draws a track of all arms; nil if there is none.
func overTime(r *harness.Record, s *compare.Summary, t track) (*picture, error) {
	c := &chart.Chart{X: chart.Axis{Label: "seconds since the process started"}, Y: chart.Axis{Label: t.unit}}
	var peaks []string
	var typical []chart.Line
	for color, arm := range s.Header.Arms {
		runs := runsOf(r, arm)
		for i, run := range runs {
			line := lineOf(&run.Series, t)
			if len(line.X) == 0 {
				continue
			}
			line.Color, line.Faint = color, i < len(runs)-1
			peak := slices.Max(line.Y)
			c.X.Max, c.Y.Max = max(c.X.Max, slices.Max(line.X)), max(c.Y.Max, peak)
			if line.Faint {
				c.Lines = append(c.Lines, line)
				continue
			}
			typical = append(typical, line)
			peaks = append(peaks, fmt.Sprintf("%s %.4g", plain(arm), peak))
		}
	}
	if c.X.Max <= 0 || c.Y.Max <= 0 {
		return nil, nil
	}
	c.Lines = append(c.Lines, typical...) // in front
	c.Y.Max *= 1.08
	peak := fmt.Sprintf("peaks (%s): %s", t.unit, strings.Join(peaks, ", "))
	c.Title = t.heading + ", " + peak
	return drawn(c, t.heading, "For each arm the run with the median wall clock, and faintly others; "+peak+".", armsOf(s.Header.Arms))
}

// runsOf returns some of an arm's timed samples that have a series, from the
// quickest to the slowest, and last the one with the median wall clock.
func runsOf(r *harness.Record, arm string) []*harness.Sample {
	var list []*harness.Sample
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Arm == arm && timed(s) && len(s.Series.At) > 1 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b *harness.Sample) int { return cmp.Compare(a.Figures.Wall, b.Figures.Wall) })
	middle := (len(list) - 1) / 2
	typical := list[middle]
	return append(spreadOut(slices.Delete(list, middle, middle+1), maxRuns-1), typical)
}

// lineOf makes a line of a track. Of each group of neighbours it keeps the
// largest value: peaks are what one looks for.
func lineOf(s *harness.Series, t track) chart.Line {
	values := t.values(s)
	n := min(len(s.At), len(values))
	group := (n + maxPoints - 1) / maxPoints
	var line chart.Line
	for from := 0; from < n; from += group {
		best := from
		for i := from; i < min(from+group, n); i++ {
			if values[i] > values[best] {
				best = i
			}
		}
		line.X, line.Y = append(line.X, s.At[best].Seconds()), append(line.Y, values[best])
	}
	return line
}
