package compare

import (
	"math"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// Summarize judges a record, from the record alone.
func Summarize(r *harness.Record) *Summary {
	s := begin(r)
	t := arrange(r)
	s.Blocks = len(t.common(r.Header.Arms))
	s.judge(t)
	if s.Mismatch == nil {
		s.Orders = t.orderEffects()
	}
	if r.Header.Merged == 0 { // a sum over machines has no number of cores
		s.Busy = t.busy(r.Header.Environment.Cores)
	}
	s.footnotes(r)
	return s
}

// begin says how the comparison went, without its figures.
func begin(r *harness.Record) *Summary {
	s := &Summary{Header: r.Header, Mismatch: mismatch(r)}
	if c := r.Closing; c == nil {
		s.Stopped = "the record is cut off"
	} else {
		s.Interrupted, s.Stopped = c.Interrupted, c.Stopped
	}
	for _, sample := range r.Samples {
		if sample.Traced {
			s.Counted = append(s.Counted, countedOf(&sample))
		} else if sample.Void != nil {
			s.Voids = append(s.Voids, Void{sample.Round, sample.Arm, sample.Warmup, sample.Void})
		} else if s.Mismatch == nil {
			s.Findings = sample.Figures.Findings
		}
	}
	return s
}

// judge fills the rows. Without comparable findings there is no change to speak
// of.
func (s *Summary) judge(t table) {
	for _, row := range harness.Rows {
		s.Rows = append(s.Rows, t.row(row, s.Mismatch == nil))
	}
	for i := 1; i < len(t.arms); i++ {
		judgeArm(s.Rows, i, s.Header.MinEffect)
	}
}

// countedOf is what a sample of the counted pass gave.
func countedOf(s *harness.Sample) Counted {
	c := Counted{Arm: s.Arm, Counted: s.Counted, Empty: s.Empty, Void: s.Void}
	if s.Figures != nil {
		c.Executions = s.Figures.Executions
	}
	return c
}

// A table holds the counted rounds' samples with figures by arm and round.
type table struct {
	arms    []string
	samples map[string]map[int]*harness.Sample
	// unpaired arms do not share their rounds.
	unpaired bool
}

func arrange(r *harness.Record) table {
	t := table{arms: r.Header.Arms, samples: map[string]map[int]*harness.Sample{}}
	for _, arm := range t.arms {
		t.samples[arm] = map[int]*harness.Sample{}
	}
	for i := range r.Samples {
		if s := &r.Samples[i]; !s.Warmup && !s.Traced && s.Figures != nil {
			t.samples[s.Arm][s.Round] = s
		}
	}
	return t
}

// common returns the rounds in which all of arms have figures, in order.
func (t table) common(arms []string) []int {
	var rounds []int
	for round := range t.samples[arms[0]] {
		if !slices.ContainsFunc(arms, func(arm string) bool { return t.samples[arm][round] == nil }) {
			rounds = append(rounds, round)
		}
	}
	slices.Sort(rounds)
	return rounds
}

// row describes one figure, with changes if they are comparable.
func (t table) row(row harness.Row, comparable bool) Row {
	r := Row{Key: row.Key, Name: row.Name, Unit: row.Unit, Role: roleOf(row.Key)}
	for _, arm := range t.arms {
		measured := slices.DeleteFunc(t.values(row, arm, t.common([]string{arm})), math.IsNaN)
		cell := Cell{Arm: arm, Description: stats.Describe(measured)}
		if comparable && arm != t.arms[0] {
			cell.Change = t.change(row, arm)
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// change compares arm with the baseline, over the rounds that both have if they
// share rounds.
func (t table) change(row harness.Row, arm string) *stats.Change {
	change, ok := stats.Change{}, false
	if base := t.arms[0]; t.unpaired {
		change, ok = stats.UnpairedChange(t.values(row, base, t.common([]string{base})), t.values(row, arm, t.common([]string{arm})))
	} else {
		rounds := t.common([]string{base, arm})
		change, ok = stats.PairedChange(t.values(row, base, rounds), t.values(row, arm, rounds))
	}
	if !ok {
		return nil
	}
	return &change
}

// values are an arm's values of one figure in these rounds, NaN where it was not
// measured.
func (t table) values(row harness.Row, arm string, rounds []int) []float64 {
	list := make([]float64, len(rounds))
	for i, round := range rounds {
		list[i] = row.Value(t.samples[arm][round])
	}
	return list
}

// mismatch returns how samples disagree on the findings, nil if they do not.
func mismatch(r *harness.Record) *Mismatch {
	a, b := disagreeing(r.Samples)
	if a == nil {
		return nil
	}
	m := &Mismatch{Kind: FindingsDiffer, A: testimony(a), B: testimony(b), Differences: r.Differences}
	timeout := executor.Timeout.String()
	alone := !slices.ContainsFunc(r.Differences, func(d harness.Difference) bool {
		return d.A.Outcome != timeout && d.B.Outcome != timeout
	})
	if alone && (m.A.Timeouts != m.B.Timeouts || !slices.Equal(a.Figures.TimedOut, b.Figures.TimedOut)) {
		m.Kind = TimeoutsDiffer
	}
	return m
}

func testimony(s *harness.Sample) Testimony {
	return Testimony{s.Arm, s.Round, s.Figures.Findings, s.Figures.Outcomes[executor.Timeout.String()]}
}
