package count

import (
	"errors"
	"fmt"
	"os"

	"github.com/ddsabench/ddsabench/harness"
)

// A Finding says whether one way of counting can be used here.
type Finding struct {
	// Name is a source, or "peak threads" for the cgroup that counts them.
	Name string
	// Gives says what can be counted so.
	Gives string
	// Err says why it cannot be used and what to do; nil if it can.
	Err error
}

// PeakThreads is the name of the finding for the peak of threads.
const PeakThreads = "peak threads"

// Available tries every way of counting on this process for an instant, the
// best source first. Nothing is left behind, and nothing is mounted. The error
// is for what could not be undone.
func Available() ([]Finding, error) {
	self := os.Getpid()
	found := []Finding{
		{Name: string(harness.BPF), Gives: "every count, the allocation profile and the peak of threads"},
		{Name: string(harness.PerfEvent), Gives: "threads, system calls and context switches, without bytes and without the allocation profile"},
		{Name: string(harness.Proc), Gives: "page faults only"},
		{Name: PeakThreads, Gives: "the exact peak of threads, with any source"},
	}
	ignored := &harness.Counted{Counts: map[harness.Counter]uint64{}}
	var undone []error
	for i := range found {
		var s source
		f := &found[i]
		if f.Name == PeakThreads {
			s, f.Err = emptyPidsGroup(self) // this process stays where it is
		} else {
			s, f.Err = start(harness.Source(f.Name), self, Options{})
		}
		if f.Err == nil {
			undone = append(undone, s.stop(ignored))
		}
	}
	if err := errors.Join(undone...); err != nil {
		return found, fmt.Errorf("look for ways to count: %w", err)
	}
	return found, nil
}
