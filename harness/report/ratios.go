package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report/chart"
)

// ratios draws the main row's change in each round; nil if there is none.
func ratios(r *harness.Record, s *compare.Summary) (*picture, error) {
	main := s.Main()
	at := slices.IndexFunc(harness.Rows, func(row harness.Row) bool { return main != nil && row.Key == main.Key })
	if at < 0 || s.Unpaired {
		return nil, nil
	}
	base := s.Header.Arms[0]
	rounds := s.Header.Rounds
	c := &chart.Chart{
		X: chart.Axis{Label: "round", Min: 0.5, Max: float64(rounds) + 0.5, Ticks: roundTicks(rounds)},
		Y: chart.Axis{Label: "change, %"},
	}
	var said []string
	for color, cell := range main.Cells {
		if cell.Change == nil {
			continue
		}
		dots := chart.Line{Color: color}
		for _, pair := range pairs(r, base, cell.Arm) {
			dots.X = append(dots.X, float64(pair[0].Round-s.Header.Warmup+1))
			dots.Y = append(dots.Y, 100*(harness.Rows[at].Value(pair[1])/harness.Rows[at].Value(pair[0])-1))
		}
		if len(dots.X) == 0 {
			continue
		}
		value := 100 * (cell.Change.Ratio - 1)
		band := chart.Band{Color: color, Low: value, Value: value, Top: value}
		if in := cell.Change.Interval; in != nil {
			band.Low, band.Top = 100*(in.Low-1), 100*(in.High-1)
		}
		c.Y.Min, c.Y.Max = min(c.Y.Min, band.Low, slices.Min(dots.Y)), max(c.Y.Max, band.Top, slices.Max(dots.Y))
		c.Bands, c.Dots = append(c.Bands, band), append(c.Dots, dots)
		estimate, interval := change(main.Cells[0], cell)
		said = append(said, strings.TrimSpace(fmt.Sprintf("%s %s %s", plain(cell.Arm), estimate, interval)))
	}
	if len(c.Dots) == 0 {
		return nil, nil
	}
	margin := max(0.08*(c.Y.Max-c.Y.Min), 0.5)
	c.Y.Min, c.Y.Max = c.Y.Min-margin, c.Y.Max+margin
	what := fmt.Sprintf("%s, change from %s in each round", main.Name, plain(base))
	c.Title = fmt.Sprintf("%s: %s", what, strings.Join(said, ", "))
	return drawn(c, "Each round's change", "The "+what+"; below 0 is faster. The line is the estimate, the band its interval.",
		armsOf(s.Header.Arms)[1:])
}

// roundTicks marks at most some ten rounds.
func roundTicks(rounds int) []chart.Tick {
	var ticks []chart.Tick
	for round := 1; round <= rounds; round += (rounds-1)/10 + 1 {
		ticks = append(ticks, chart.Tick{At: float64(round), Label: fmt.Sprint(round)})
	}
	return ticks
}

// pairs are the timed samples of both arms in the rounds that have both, or
// evenly spread ones of these.
func pairs(r *harness.Record, base, arm string) [][2]*harness.Sample {
	rounds := map[int]*[2]*harness.Sample{}
	for i := range r.Samples {
		s := &r.Samples[i]
		if !timed(s) || s.Arm != base && s.Arm != arm {
			continue
		}
		if rounds[s.Round] == nil {
			rounds[s.Round] = &[2]*harness.Sample{}
		}
		if s.Arm == base {
			rounds[s.Round][0] = s
		} else {
			rounds[s.Round][1] = s
		}
	}
	var list [][2]*harness.Sample
	for _, pair := range rounds {
		if pair[0] != nil && pair[1] != nil {
			list = append(list, *pair)
		}
	}
	slices.SortFunc(list, func(a, b [2]*harness.Sample) int { return a[0].Round - b[0].Round })
	return spreadOut(list, maxPoints)
}

// spreadOut returns at most n elements of list, evenly spread.
func spreadOut[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}
