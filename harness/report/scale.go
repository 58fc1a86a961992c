package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// A scale prints the values of one row, so that they can be compared at sight:
// one unit and one number of decimals for all.
type scale struct {
	factor   float64
	unit     string
	decimals int
}

type step struct {
	factor float64
	unit   string
}

// steps are each base unit's printed units, largest first.
var steps = map[harness.Unit][]step{
	harness.Seconds: {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}},
	harness.Bytes:   {{1 << 30, " GiB"}, {1 << 20, " MiB"}, {1 << 10, " KiB"}, {1, " B"}},
}

// scaleOf chooses a row's scale by its largest median: it gets four significant
// digits at least.
func scaleOf(row compare.Row) scale {
	largest := 0.0
	for _, c := range row.Cells {
		largest = max(largest, c.Median)
	}
	s := scale{factor: 1}
	if list := steps[row.Unit]; len(list) > 0 {
		for _, step := range list {
			s.factor, s.unit = step.factor, step.unit
			if largest >= step.factor {
				break
			}
		}
		if largest > 0 {
			s.decimals = max(0, 3-int(math.Floor(math.Log10(largest/s.factor))))
		}
	}
	return s
}

func (s scale) print(x float64) string {
	return group(strconv.FormatFloat(x/s.factor, 'f', s.decimals, 64)) + s.unit
}

// group puts a comma after each three digits before the point.
func group(number string) string {
	whole, rest, point := strings.Cut(number, ".")
	first := len(whole) - len(strings.TrimLeft(whole, "+-")) // of the digits
	for i := len(whole) - 3; i > first; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}

// spread prints half the range in per cent of the median; empty if it is 0.
func spread(d stats.Description) string {
	if d.Min == d.Max {
		return ""
	}
	if d.Median == 0 {
		return "∞"
	}
	if d.Spread() < 0.005 {
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*d.Spread())
}

// equal stands in a change's place where both are the same constant.
const equal = "="

// change prints a cell's change from base and its interval. Equal constants
// have "=", and what has no ratio "-". Too few pairs give an infinite interval.
func change(base, c compare.Cell) (estimate, interval string) {
	switch {
	case base.N > 0 && c.N > 0 && base.Min == base.Max && c.Min == c.Max && base.Min == c.Min:
		return equal, ""
	case c.Change == nil:
		return "-", ""
	case c.Change.Interval == nil:
		return percent(c.Change.Ratio) + "%", "±∞"
	}
	low, high := percent(c.Change.Interval.Low), percent(c.Change.Interval.High)
	if low == high {
		return percent(c.Change.Ratio) + "%", "[" + low + "]"
	}
	return percent(c.Change.Ratio) + "%", "[" + low + ", " + high + "]"
}

// percent prints a ratio as a change in per cent, with one decimal or as many
// as tell it from -100.
func percent(ratio float64) string {
	p := 100 * (ratio - 1)
	text := ""
	for decimals := 1; decimals <= 4; decimals++ {
		text = strconv.FormatFloat(p, 'f', decimals, 64)
		if p >= -99.9 || !strings.HasPrefix(text, "-100") {
			break
		}
	}
	if strings.Trim(text, "-0.") == "" {
		return "0.0"
	}
	if p > 0 {
		text = "+" + text
	}
	return group(text)
}
