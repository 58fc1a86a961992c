package compare

import (
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// Summarize judges a record, from the record alone.
func Summarize(r *harness.Record) *Summary {
	s := &Summary{Header: r.Header, Mismatch: mismatch(r)}
	if c := r.Closing; c == nil {
		s.Stopped = "the record is cut off"
	} else {
		s.Interrupted, s.Stopped = c.Interrupted, c.Stopped
	}
	for _, sample := range r.Samples {
		if sample.Void != nil {
			s.Voids = append(s.Voids, Void{sample.Round, sample.Arm, sample.Warmup, sample.Void})
		} else if s.Mismatch == nil {
			s.Findings = sample.Figures.Findings
		}
	}
	t := arrange(r)
	s.Blocks = len(t.common(r.Header.Arms))
	for _, row := range harness.Rows {
		s.Rows = append(s.Rows, t.row(row, s.Mismatch == nil))
	}
	s.Notes = notes(s, r)
	return s
}

// A table holds the counted samples with figures by arm and round.
type table struct {
	arms    []string
	samples map[string]map[int]*harness.Sample
}

func arrange(r *harness.Record) table {
	t := table{r.Header.Arms, map[string]map[int]*harness.Sample{}}
	for _, arm := range t.arms {
		t.samples[arm] = map[int]*harness.Sample{}
	}
	for i := range r.Samples {
		if s := &r.Samples[i]; !s.Warmup && s.Figures != nil {
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

// row describes one figure. Without comparable findings there is no change to
// speak of.
func (t table) row(row harness.Row, comparable bool) Row {
	r := Row{Key: row.Key, Name: row.Name, Unit: row.Unit}
	for _, arm := range t.arms {
		var all []float64
		for _, s := range t.samples[arm] {
			all = append(all, row.Value(s))
		}
		cell := Cell{Arm: arm, Description: stats.Describe(all)}
		if comparable && arm != t.arms[0] {
			cell.Change = t.change(row, arm)
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// change compares arm with the baseline over the rounds that both have.
func (t table) change(row harness.Row, arm string) *stats.Change {
	var base, other []float64
	for _, round := range t.common([]string{t.arms[0], arm}) {
		base = append(base, row.Value(t.samples[t.arms[0]][round]))
		other = append(other, row.Value(t.samples[arm][round]))
	}
	change, ok := stats.PairedChange(base, other)
	if !ok {
		return nil
	}
	return &change
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

// notes are the doubts that a reader should have.
func notes(s *Summary, r *harness.Record) []string {
	var list []string
	note := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	h := s.Header
	if s.Mismatch == nil && s.Blocks > 0 && s.Blocks < 6 {
		note("An interval needs at least 6 complete rounds; there are %d.", s.Blocks)
	}
	if h.Rounds%len(h.Arms) != 0 {
		note("%d rounds cannot give %d arms each position equally often; use a multiple of %d.",
			h.Rounds, len(h.Arms), len(h.Arms))
	}
	if len(s.Voids) > 0 {
		note("Samples without figures: %d (see below). The change leaves their rounds out.", len(s.Voids))
	}
	if slices.ContainsFunc(r.Samples, func(s harness.Sample) bool { return s.Figures != nil && !s.Figures.Memory.PeakReset }) {
		note("The kernel did not permit setting the peak RSS back after start-up, so it includes start-up.")
	}
	return list
}
