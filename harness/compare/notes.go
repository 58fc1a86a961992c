package compare

import (
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// note adds a doubt about the whole, or about the cells given. Those about cells
// come first, so that the numbers that a reader meets have no gaps.
func (s *Summary) note(text string, cells ...*Cell) {
	if len(cells) == 0 {
		s.Notes = append(s.Notes, text)
		return
	}
	n := s.Numbered()
	s.Notes = slices.Insert(s.Notes, n, text)
	for _, cell := range cells {
		cell.Notes = append(cell.Notes, n+1)
	}
}

// Numbered is how many of the notes, the first ones, are about cells.
func (s *Summary) Numbered() int {
	most := 0
	for _, row := range s.Rows {
		for _, cell := range row.Cells {
			for _, n := range cell.Notes {
				most = max(most, n)
			}
		}
	}
	return most
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
	var few []*Cell
	n := 0
	for _, cell := range s.mainCells() {
		if cell.Change != nil && cell.Change.Interval == nil {
			few, n = append(few, cell), cell.Change.N
		}
	}
	if s.Mismatch == nil && len(few) > 0 {
		s.note(fmt.Sprintf("An interval needs at least 6 complete rounds; there %s.", isOrAre(n)), few...)
	}
	if h.Rounds%len(h.Arms) != 0 {
		s.note(fmt.Sprintf("%s cannot give %d arms each position equally often; use a multiple of %d.",
			plural(h.Rounds, "round"), len(h.Arms), len(h.Arms)))
	}
	s.noteSameProgram()
}

// noteSameProgram tells of arms that differ in nothing that the program does.
func (s *Summary) noteSameProgram() {
	h := s.Header
	base, err := arm.Parse(h.Arms[0])
	if err != nil {
		return
	}
	unsampled := base
	unsampled.Unsampled = !base.Unsampled
	if slices.Contains(h.Arms, unsampled.String()) {
		s.note(fmt.Sprintf("%s and %s are the same program; while one of them works the parent does not look at it. "+
			"Any difference between them is what looking costs, or a false one.", base, unsampled))
	}
	if slices.Contains(h.Arms, base.Twin().String()) {
		s.note(fmt.Sprintf("%s and %s are the same program, an A/A control. Any difference between them is a false one.",
			base, base.Twin()))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
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
			"The arms come first as often as each other, or nearly, so that favours none, but samples disturb each other.",
			100*(o.Ratio-1), o.P), &s.Main().Cells[i])
	}
}

// noteMachine adds doubts about the machine.
func (s *Summary) noteMachine(samples []harness.Sample) {
	if s.Busy > 0 {
		// In rounds, the arms share the trouble.
		var doubtful []*Cell
		if s.mostlyBusy() || s.Unpaired {
			doubtful = s.mainCells()
		}
		s.note(fmt.Sprintf("The machine was busy with other work in %d of %d samples: other processes took more than %g%% of it, "+
			"or its host more than %g%%.", s.Busy, s.counted(), 100*busyShare, 100*stealShare), doubtful...)
	}
	if slices.ContainsFunc(samples, func(s harness.Sample) bool { return s.Figures != nil && !s.Figures.Memory.PeakReset }) {
		s.note("The kernel did not permit setting the peak RSS back after start-up, so it includes start-up.")
	}
}
