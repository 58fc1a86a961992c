package compare

import (
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// A Verdict is what a cell's change amounts to, in words. stats.Judge defines
// which it is.
type Verdict string

// The verdicts. Time is faster or slower, other figures are less or more.
const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	Less         Verdict = "less"
	More         Verdict = "more"
	Same         Verdict = "same"
	Inconclusive Verdict = "inconclusive"
	TooNoisy     Verdict = "too noisy"
)

// verdictOf puts v into the words of unit.
func verdictOf(v stats.Verdict, unit harness.Unit) Verdict {
	switch {
	case v == stats.Less && unit == harness.Seconds, v == stats.More && unit == harness.PerSecond:
		return Faster
	case v == stats.More && unit == harness.Seconds, v == stats.Less && unit == harness.PerSecond:
		return Slower
	}
	return Verdict(v)
}

// decided says whether v is a difference.
func (v Verdict) decided() bool {
	return v == Faster || v == Slower || v == Less || v == More
}

// judgeArm gives the cells of the arm with that index their verdicts: the main
// row on its own, secondary and control rows as one family.
func judgeArm(rows []Row, arm int, minEffect float64) {
	var family []*Cell
	var units []harness.Unit
	var p []float64
	for i := range rows {
		cell := &rows[i].Cells[arm]
		if cell.Change == nil {
			continue
		}
		switch rows[i].Role {
		case Main:
			cell.PAdjusted = cell.Change.P
			cell.Verdict = verdictOf(cell.Change.Judge(cell.PAdjusted, minEffect), rows[i].Unit)
		case Secondary, Control:
			family, units, p = append(family, cell), append(units, rows[i].Unit), append(p, cell.Change.P)
		}
	}
	for i, adjusted := range stats.Holm(p) {
		family[i].PAdjusted = adjusted
		family[i].Verdict = verdictOf(family[i].Change.Judge(adjusted, minEffect), units[i])
	}
}

// Main returns the main row.
func (s *Summary) Main() *Row {
	for i := range s.Rows {
		if s.Rows[i].Role == Main {
			return &s.Rows[i]
		}
	}
	return nil
}

// Regression says whether an arm is slower than the baseline in the main row.
func (s *Summary) Regression() bool {
	return s.anyMain(func(v Verdict) bool { return v == Slower })
}

// Inconclusive says whether there is an arm of which nobody can say how it
// compares: it has no verdict in the main row, or one that decides nothing, or
// the machine was busy in more than half of the samples. A regression is a
// regression even so.
func (s *Summary) Inconclusive() bool {
	open := s.Err() != nil || s.anyMain(func(v Verdict) bool { return v == "" || v == Inconclusive || v == TooNoisy })
	return open || s.mostlyBusy() && !s.Regression()
}

// anyMain says whether is holds for an arm's verdict in the main row.
func (s *Summary) anyMain(is func(Verdict) bool) bool {
	for i, cell := range s.Main().Cells {
		if i > 0 && is(cell.Verdict) {
			return true
		}
	}
	return false
}
