package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/harness"
)

// A DifferentError is a pair of records that cannot be compared: something
// other than the program differs.
type DifferentError struct {
	// What differs, and what it is in either record.
	What     string
	Old, New string
}

// Error says what differs and what to do.
func (e *DifferentError) Error() string {
	return fmt.Sprintf("the records cannot be compared: %s %s in the old one, %s in the new one; make both with the same", e.What, e.Old, e.New)
}

// Diff compares two records of the same work on the same machine, such as those
// of two releases, and judges each arm that both have against itself: one
// summary for each, in the new record's order, whose arms are called "NAME old"
// and "NAME new". They were not measured side by side, so the method is the
// unpaired one, and what the machine did in between counts as a difference. The
// minimum effect is the new record's. Records that differ in corpus, rules,
// machine or settings give a *DifferentError.
func Diff(older, newer *harness.Record) ([]*Summary, error) {
	if err := sameConditions(&older.Header, &newer.Header); err != nil {
		return nil, err
	}
	var list []*Summary
	for _, arm := range newer.Header.Arms {
		if slices.Contains(older.Header.Arms, arm) {
			list = append(list, diffArm(older, newer, arm))
		}
	}
	if len(list) == 0 {
		return nil, different("arms", older.Header.Arms, newer.Header.Arms)
	}
	return list, nil
}

func different(what string, older, newer any) error {
	return &DifferentError{What: what, Old: fmt.Sprintf("%q", fmt.Sprint(older)), New: fmt.Sprintf("%q", fmt.Sprint(newer))}
}

// sameConditions returns an error for the first condition that differs.
func sameConditions(older, newer *harness.Header) error {
	a, b := older.Environment, newer.Environment
	for _, c := range []struct {
		what         string
		older, newer any
	}{
		{"method of the findings' digest", older.FindingsMethod, newer.FindingsMethod},
		{"number of merged shards", older.Merged, newer.Merged},
		{"corpus", older.Corpus.Digest, newer.Corpus.Digest},
		{"rules", older.Rules.Digest, newer.Rules.Digest},
		{"processor", a.CPU, b.CPU},
		{"number of cores", a.Cores, b.Cores},
		{"GOMAXPROCS", a.MaxProcs, b.MaxProcs},
		{"workers", older.Workers, newer.Workers},
		{"cores of the children", older.Pinned, newer.Pinned},
		{"rule timeout", older.RuleTimeout, newer.RuleTimeout},
		{"variables of the environment", a.Variables, b.Variables},
	} {
		if fmt.Sprint(c.older) != fmt.Sprint(c.newer) { // of a map sorted, nil as empty
			return different(c.what, c.older, c.newer)
		}
	}
	return nil
}

// ages are what the arms of the old and of the new record have behind their names.
var ages = [2]string{" old", " new"}

// of is a mismatch within the record of that age; nil if there is none.
func (m *Mismatch) of(age string) *Mismatch {
	if m == nil {
		return nil
	}
	aged := *m
	aged.A.Arm += age
	aged.B.Arm += age
	aged.Differences = slices.Clone(m.Differences)
	for i := range aged.Differences {
		aged.Differences[i].A.Arm += age
		aged.Differences[i].B.Arm += age
	}
	return &aged
}

// diffArm compares an arm's new samples with its old ones.
func diffArm(older, newer *harness.Record, arm string) *Summary {
	both := &harness.Record{Header: newer.Header, Closing: &harness.Closing{}}
	both.Header.Arms = []string{arm + ages[0], arm + ages[1]}
	for i, r := range []*harness.Record{older, newer} {
		for _, sample := range r.Samples {
			if sample.Arm == arm {
				sample.Arm = both.Header.Arms[i]
				both.Samples = append(both.Samples, sample)
			}
		}
	}
	s := begin(both)
	s.Older = &older.Header
	for i, r := range []*harness.Record{older, newer} {
		one := begin(r)
		s.Interrupted = s.Interrupted || one.Interrupted
		s.Stopped = cmp.Or(s.Stopped, one.Stopped)
		s.Mismatch = cmp.Or(s.Mismatch, one.Mismatch.of(ages[i])) // void before is void now
	}
	t := arrange(both)
	t.unpaired, s.Unpaired = true, true
	s.Blocks = min(len(t.samples[t.arms[0]]), len(t.samples[t.arms[1]]))
	s.judge(t)
	s.Busy = t.busy(newer.Header.Environment.Cores)
	s.noteDiff(&older.Header, &newer.Header)
	s.noteRows()
	s.noteMachine(both.Samples)
	return s
}

// noteDiff adds the doubts of a comparison over time.
func (s *Summary) noteDiff(older, newer *harness.Header) {
	s.note("The two were measured at different times, so what changed on the machine counts as a difference too.", s.mainCells()...)
	a, b := older.Environment, newer.Environment
	for _, c := range []struct{ what, older, newer string }{
		{"The kernel", a.Kernel, b.Kernel},
		{"Huge pages", a.HugePages, b.HugePages},
	} {
		if c.older != c.newer {
			s.note(fmt.Sprintf("%s: %q in the old record, %q in the new one.", c.what, c.older, c.newer))
		}
	}
	if main := s.mainCells()[0]; main.Change != nil && main.Change.Interval == nil {
		s.note(fmt.Sprintf("An interval needs some 4 samples on each side; the smaller side has %d.", main.Change.N), main)
	}
}
