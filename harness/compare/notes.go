package compare

import (
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// note adds a doubt about the whole, or about the cells given.
func (s *Summary) note(text string, cells ...*Cell) {
	s.Notes = append(s.Notes, text)
	for _, cell := range cells {
		cell.Notes = append(cell.Notes, len(s.Notes))
	}
}

// footnotes adds the doubts that a reader should have.
func (s *Summary) footnotes(r *harness.Record) {
	s.noteDesign()
	s.noteRows()
	s.noteOrder()
	if len(s.Voids) > 0 {
		s.note(fmt.Sprintf("Samples without figures: %d (see below). The change leaves their rounds out.", len(s.Voids)))
	}
	s.noteMachine(r.Samples)
}

// noteDesign adds what the number of rounds and the arms cannot give.
func (s *Summary) noteDesign() {
	h := s.Header
	if s.Mismatch == nil && s.Blocks > 0 && s.Blocks < 6 {
		s.note(fmt.Sprintf("An interval needs at least 6 complete rounds; there are %d.", s.Blocks), s.mainCells()...)
	}
	if h.Rounds%len(h.Arms) != 0 {
		s.note(fmt.Sprintf("%d rounds cannot give %d arms each position equally often; use a multiple of %d.",
			h.Rounds, len(h.Arms), len(h.Arms)))
	}
	if base, err := arm.Parse(h.Arms[0]); err == nil && slices.Contains(h.Arms, base.Twin().String()) {
		s.note(fmt.Sprintf("%s and %s are the same program, an A/A control. Any difference between them is a false one.",
			base, base.Twin()))
	}
}

// family is the largest number of rows that an arm has tested at once.
func (s *Summary) family() int {
	most := 0
	for i := range s.Header.Arms {
		n := 0
		for _, row := range s.Rows {
			if row.Role != Main && row.Cells[i].Verdict != "" {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// noteRows adds doubts about single verdicts.
func (s *Summary) noteRows() {
	var corrected, small, controls []*Cell
	for i := range s.Rows {
		row := &s.Rows[i]
		for j := range row.Cells {
			switch cell := &row.Cells[j]; {
			case cell.Verdict == "":
			case cell.Verdict.decided():
				if row.Role == Control && !s.Unpaired { // two releases may well differ there
					controls = append(controls, cell)
				}
			case cell.Verdict == Same:
			case cell.PAdjusted <= stats.Alpha:
				small = append(small, cell)
			case cell.Change.P <= stats.Alpha:
				corrected = append(corrected, cell)
			}
		}
	}
	if len(controls) > 0 {
		s.note("A control: the arms do the same work there. A change comes from what surrounds it, such as caches and scheduling; "+
			"look for its cause before you trust the rest.", controls...)
	}
	if len(small) > 0 {
		s.note(fmt.Sprintf("There is a difference, but it may be smaller than the minimum effect of %g%%.", 100*s.Header.MinEffect), small...)
	}
	if len(corrected) > 0 {
		s.note(s.whyCorrected(), corrected...)
	}
}

// whyCorrected says why rows are not judged as they would be alone.
func (s *Summary) whyCorrected() string {
	n := s.family()
	possible := func(size int) bool {
		least := stats.LeastP(size)
		if s.Unpaired {
			least = stats.LeastUnpairedP(size, size)
		}
		return float64(n)*least <= stats.Alpha
	}
	if possible(s.Blocks) {
		return "A difference if this row were the only one; not among so many rows (Holm's correction)."
	}
	need := s.Blocks
	for !possible(need) {
		need++
	}
	return fmt.Sprintf("A difference if this row were the only one. Among %d rows (Holm's correction) none can be one with %d samples of each arm; that needs %d.",
		n, s.Blocks, need)
}

// mainCells are the main row's cells but the baseline's.
func (s *Summary) mainCells() []*Cell {
	var list []*Cell
	for i := 1; i < len(s.Main().Cells); i++ {
		list = append(list, &s.Main().Cells[i])
	}
	return list
}

// noteOrder adds order effects.
func (s *Summary) noteOrder() {
	for _, o := range s.Orders {
		if !o.Matters() {
			continue
		}
		i := slices.Index(s.Header.Arms, o.Arm)
		s.note(fmt.Sprintf("Coming later in a round changes the main row by %+.1f%% (p=%.2g). "+
			"Each arm comes first equally often, so that favours none, but samples disturb each other.",
			100*(o.Ratio-1), o.P), &s.Main().Cells[i])
	}
}

// noteMachine adds doubts about the machine.
func (s *Summary) noteMachine(samples []harness.Sample) {
	if s.Busy > 0 {
		var doubtful []*Cell
		if s.mostlyBusy() {
			doubtful = s.mainCells()
		}
		s.note(fmt.Sprintf("The machine was busy with other work in %d of %d samples: other processes took more than %g%% of it, "+
			"or its host more than %g%%.", s.Busy, s.counted(), 100*busyShare, 100*stealShare), doubtful...)
	}
	if slices.ContainsFunc(samples, func(s harness.Sample) bool { return s.Figures != nil && !s.Figures.Memory.PeakReset }) {
		s.note("The kernel did not permit setting the peak RSS back after start-up, so it includes start-up.")
	}
}
