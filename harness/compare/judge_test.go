package compare

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

const ms = time.Millisecond

func row(s *Summary, key string) *Row {
	return &s.Rows[slices.IndexFunc(s.Rows, func(r Row) bool { return r.Key == key })]
}

// noted says whether a footnote of the cell contains text.
func noted(s *Summary, c Cell, text string) bool {
	return slices.ContainsFunc(c.Notes, func(n int) bool { return strings.Contains(s.Notes[n-1], text) })
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		base, other              time.Duration
		rounds                   int
		want                     Verdict
		regression, inconclusive bool
	}{
		{500 * ms, 400 * ms, 10, Faster, false, false},
		{500 * ms, 600 * ms, 10, Slower, true, false},
		{500 * ms, 500 * ms, 10, Same, false, false},
		{50 * ms, 50 * ms, 10, Inconclusive, false, true}, // noise of 2 %
		{15 * ms, 15 * ms, 10, TooNoisy, false, true},     // noise of 7 %
		{500 * ms, 600 * ms, 5, Inconclusive, false, true},
	} {
		s := Summarize(recordOf(c.rounds, map[string]time.Duration{"a": c.base, "b": c.other}, "a", "b"))
		if got := s.Main().Cells[1]; got.Verdict != c.want || got.PAdjusted != got.Change.P {
			t.Errorf("%v to %v: %s, %+v", c.base, c.other, got.Verdict, got.Change.Interval)
		}
		if s.Regression() != c.regression || s.Inconclusive() != c.inconclusive {
			t.Errorf("%v to %v: regression %v, inconclusive %v", c.base, c.other, s.Regression(), s.Inconclusive())
		}
		if v := row(s, "per_execution").Cells[1].Verdict; v != "" {
			t.Errorf("a derived row has the verdict %s", v)
		}
	}
}

// Units decide between faster and less.
func TestVerdictWords(t *testing.T) {
	for _, c := range []struct {
		verdict Verdict
		unit    harness.Unit
		want    Verdict
	}{
		{Less, harness.Seconds, Faster},
		{More, harness.Seconds, Slower},
		{Less, harness.PerSecond, Slower},
		{More, harness.PerSecond, Faster},
		{Less, harness.Bytes, Less},
		{More, harness.Count, More},
		{Same, harness.Seconds, Same},
		{TooNoisy, harness.Bytes, TooNoisy},
	} {
		if got := verdictOf(stats.Verdict(c.verdict), c.unit); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.verdict, c.unit, got, c.want)
		}
	}
}

// Secondary rows are corrected for their number, and a control that differs is
// pointed out.
func TestFamily(t *testing.T) {
	r := recordOf(10, map[string]time.Duration{"a": 500 * ms, "b": 400 * ms}, "a", "b")
	for i := range r.Samples {
		s := &r.Samples[i]
		f := s.Figures
		f.Memory.RSS, f.Memory.PeakRSS, f.Memory.PageTables = 1, 1000, 1000
		if s.Arm == "b" {
			f.InV8 += 20 * ms
			f.Memory.PeakRSS += 50 + uint64(s.Round) // clear: p = 2/1024
			f.Memory.PageTables += 20 - 10*uint64(s.Round%4%3)
		}
	}
	s := Summarize(r)
	if c := row(s, "in_v8").Cells[1]; c.Verdict != Slower || !noted(s, c, "control") {
		t.Errorf("control: %+v, notes %q", c, s.Notes)
	}
	if c := row(s, "peak_rss").Cells[1]; c.Verdict != More || c.PAdjusted <= c.Change.P {
		t.Errorf("peak RSS: %+v", c)
	}
}

// One clear row among many is not clear any more where the rounds are few.
func TestFamilyNeedsRounds(t *testing.T) {
	r := recordOf(6, map[string]time.Duration{"a": 500 * ms, "b": 400 * ms}, "a", "b")
	for i := range r.Samples {
		f := r.Samples[i].Figures
		f.Memory.PeakRSS = 1000
		if r.Samples[i].Arm == "b" {
			f.Memory.PeakRSS = 2000
		}
	}
	s := Summarize(r)
	if s.Main().Cells[1].Verdict != Faster {
		t.Error("the main row is corrected")
	}
	c := row(s, "peak_rss").Cells[1]
	if c.Verdict != Inconclusive || !noted(s, c, "none can be one with 6 samples of each arm; that needs 7.") {
		t.Errorf("%+v, notes %q", c, s.Notes)
	}
}

func TestOrderEffect(t *testing.T) {
	r := recordOf(10, map[string]time.Duration{"a": 500 * ms, "b": 500 * ms}, "a", "b")
	s := Summarize(r)
	if len(s.Orders) != 1 || s.Orders[0].Matters() {
		t.Errorf("without: %+v", s.Orders)
	}
	for i := range r.Samples {
		if r.Samples[i].Position == 1 {
			r.Samples[i].Figures.InExecutions += 50 * ms
		}
	}
	s = Summarize(r)
	if o := s.Orders[0]; !o.Matters() || o.Arm != "b" || o.Ratio < 1.09 || o.Ratio > 1.11 || !noted(s, s.Main().Cells[1], "Coming later") {
		t.Errorf("coming second costs 10 %%: %+v, notes %q", s.Orders, s.Notes)
	}
	if s := Summarize(recordOf(6, nil, "a", "b")); len(s.Orders) != 0 {
		t.Errorf("too few rounds: %+v", s.Orders)
	}
}

func TestBusy(t *testing.T) {
	r := recordOf(10, map[string]time.Duration{"a": 500 * ms, "b": 500 * ms}, "a", "b")
	for i := range r.Samples {
		s := &r.Samples[i]
		s.Start, s.End = time.Hour, time.Hour+time.Second // of two cores
		s.Figures.Before.User, s.Figures.Job.System = 300*ms, 700*ms
		s.LoadBefore.Busy, s.LoadAfter.Busy = time.Minute, time.Minute+time.Second
		switch i {
		case 4:
			s.LoadAfter.Busy += 190 * ms
		case 5:
			s.LoadAfter.Busy += 210 * ms
		case 6:
			s.LoadAfter.Steal += 21 * ms
		}
	}
	s := Summarize(r)
	if s.Busy != 2 || s.Inconclusive() || !strings.HasPrefix(s.Notes[len(s.Notes)-1], "The machine was busy with other work in 2 of 20 samples") {
		t.Errorf("busy in %d, %q", s.Busy, s.Notes)
	}
	for i := range r.Samples[:11] {
		r.Samples[i].LoadAfter.Steal += time.Second
	}
	if s := Summarize(r); s.Busy != 11 || s.Main().Cells[1].Verdict != Same || !s.Inconclusive() || !noted(s, s.Main().Cells[1], "The machine was busy") {
		t.Errorf("busy in %d: nobody can rely on that", s.Busy)
	}
}

func TestControlIsNamed(t *testing.T) {
	s := Summarize(recordOf(10, map[string]time.Duration{"a": ms, "a+again": ms}, "a", "a+again"))
	if !slices.Contains(s.Notes, "a and a+again are the same program, an A/A control. Any difference between them is a false one.") {
		t.Errorf("notes %q", s.Notes)
	}
	s = Summarize(recordOf(10, map[string]time.Duration{"a": ms, "a+unsampled": ms}, "a", "a+unsampled"))
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "is what looking costs") }) {
		t.Errorf("notes %q", s.Notes)
	}
}

// Notes about cells come first and have the numbers that the cells show.
func TestNotesAreInOrder(t *testing.T) {
	s := Summarize(recordOf(1, map[string]time.Duration{"a": ms, "b": ms}, "a", "b"))
	if want := []string{
		"An interval needs at least 6 complete rounds; there is 1.",
		"1 round cannot give 2 arms each position equally often; use a multiple of 2.",
	}; !slices.Equal(s.Notes, want) || s.Numbered() != 1 || !slices.Equal(s.Main().Cells[1].Notes, []int{1}) {
		t.Errorf("%d of these are about cells: %q", s.Numbered(), s.Notes)
	}
	s = &Summary{Rows: []Row{{Cells: make([]Cell, 2)}}}
	a, b := &s.Rows[0].Cells[0], &s.Rows[0].Cells[1]
	s.note("whole")
	s.note("a", a)
	s.note("whole, too")
	s.note("both", a, b)
	if !slices.Equal(s.Notes, []string{"a", "both", "whole", "whole, too"}) || !slices.Equal(a.Notes, []int{1, 2}) || !slices.Equal(b.Notes, []int{2}) {
		t.Errorf("%q, %v, %v", s.Notes, a.Notes, b.Notes)
	}
}
