package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report/chart"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// A countTable is what the counted pass says, and a picture of the allocation
// profile if there is one.
type countTable struct {
	Head    string
	Columns []string
	Rows    []numberRow
	Notes   []string
	Picture *picture
}

// countsTable is nil if there was no counted pass nor a reason for that.
func countsTable(s *compare.Summary) (*countTable, error) {
	t := &countTable{Notes: passSentences(s)}
	if g := passFigures(s); len(g.rows) > 0 {
		t.Head, t.Columns = strings.Join(passHead(s), " "), g.header[1:]
		for _, row := range g.rows {
			t.Rows = append(t.Rows, numberRow{row[0], row[1:]})
		}
	}
	if len(t.Rows) == 0 && len(t.Notes) == 0 {
		return nil, nil
	}
	var err error
	t.Picture, err = allocations(s)
	return t, err
}

// allocations draws the allocation profile; nil if there is none.
func allocations(s *compare.Summary) (*picture, error) {
	c := &chart.Chart{
		Title: "Persistent and transient anonymous mappings by arm; the table of the counted pass has the figures.",
		X:     chart.Axis{Label: "anonymous mappings", Min: -0.6, Max: 1.6, Ticks: []chart.Tick{{At: 0, Label: "persistent"}, {At: 1, Label: "transient"}}},
		Y:     chart.Axis{Label: "number"},
	}
	arms := armsOf(s.Header.Arms)
	var drawnArms []armKey
	cache := map[bool]bool{}
	for _, counted := range s.Counted {
		i := slices.Index(s.Header.Arms, counted.Arm)
		if i < 0 || counted.Counted == nil || counted.Counted.Allocations == nil {
			continue
		}
		a := counted.Counted.Allocations
		cache[counted.Counted.StackCache] = true
		bars := []float64{magnitude(a.Persistent), magnitude(a.Transient)}
		c.Bars = append(c.Bars, chart.Bars{Color: i, Values: bars})
		c.Y.Max = max(c.Y.Max, bars[0], bars[1])
		drawnArms = append(drawnArms, arms[i])
	}
	if len(c.Bars) == 0 {
		return nil, nil
	}
	c.Y.Max = math.Floor(c.Y.Max) + 1
	c.Y.Ticks = powers(c.Y.Max)
	caption := "Anonymous mappings that were there at the end, and those unmapped before; the scale is logarithmic."
	switch {
	case len(cache) > 1:
	case cache[true]:
		caption += " The C library's stack cache was on: most threads got the stack of an ended one, and no mapping of their own."
	default:
		caption += " The C library's stack cache was off: each thread's stack was a mapping of its own."
	}
	return drawn(c, "Allocation profile", caption, drawnArms)
}

// magnitude is 0 for 0 and else one more than the decimal logarithm, so that a
// bar of one is seen.
func magnitude(n uint64) float64 {
	if n == 0 {
		return 0
	}
	return 1 + math.Log10(float64(n))
}

// powers marks 0, 1, 10, 100 and so on on a scale of magnitudes.
func powers(most float64) []chart.Tick {
	ticks := []chart.Tick{{At: 0, Label: "0"}}
	for i := 1; float64(i) <= most; i++ {
		ticks = append(ticks, chart.Tick{At: float64(i), Label: group(strconv.FormatFloat(math.Pow10(i-1), 'f', 0, 64))})
	}
	return ticks
}

// tallyRows makes rows of the tallies of several samples. One that a sample
// lacks is a dash.
func tallyRows(all [][]tally) []numberRow {
	var rows []numberRow
	seen := map[harness.Counter]bool{}
	for _, list := range all {
		for _, t := range list {
			if seen[t.key] {
				continue
			}
			seen[t.key] = true
			rows = append(rows, tallyRow(t, all))
		}
	}
	return rows
}

// tallyRow gives each value a unit of its own: the arms can differ by a factor
// of thousands.
func tallyRow(t tally, all [][]tally) numberRow {
	row := numberRow{Name: t.name, Values: make([]string, len(all))}
	for column, list := range all {
		row.Values[column] = "-"
		if i := indexOf(list, t.key); i >= 0 {
			value := float64(list[i].value)
			shape := compare.Row{Unit: t.unit, Cells: []compare.Cell{{Description: stats.Description{Median: value}}}}
			row.Values[column] = scaleOf(shape).print(value)
		}
	}
	return row
}

func indexOf(list []tally, key harness.Counter) int {
	return slices.IndexFunc(list, func(t tally) bool { return t.key == key })
}
