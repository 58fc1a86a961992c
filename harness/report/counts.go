package report

import "github.com/ddsabench/ddsabench/harness"

// A tally is one number of the counted pass.
type tally struct {
	key   harness.Counter
	name  string
	unit  harness.Unit
	value uint64
}

// counters are the counters in the order in which they are printed.
var counters = []tally{
	{key: harness.ThreadsCreated, name: "threads created"},
	{key: harness.ThreadExits, name: "threads ended"},
	{key: harness.ProcessesCreated, name: "processes created"},
	{key: harness.Mmap, name: "mmap calls"},
	{key: harness.Munmap, name: "munmap calls"},
	{key: harness.Mremap, name: "mremap calls"},
	{key: harness.Brk, name: "brk calls"},
	{key: harness.Madvise, name: "madvise calls"},
	{key: harness.Mprotect, name: "mprotect calls"},
	{key: harness.Futex, name: "futex calls"},
	{key: harness.AnonymousMaps, name: "anonymous mappings made"},
	{key: harness.AnonymousBytes, name: "bytes of all anonymous mappings", unit: harness.Bytes},
	{key: harness.ContextSwitches, name: "context switches"},
	{key: harness.MinorFaults, name: "minor faults"},
	{key: harness.MajorFaults, name: "major faults"},
}

// countsOf lists what was counted, the allocation profile first. What the
// source could not count is left out.
func countsOf(c *harness.Counted) []tally {
	var list []tally
	if a := c.Allocations; a != nil {
		list = []tally{
			{"persistent", "anonymous mappings, persistent", harness.Count, a.Persistent},
			{"transient", "anonymous mappings, transient", harness.Count, a.Transient},
			{"accessible_bytes", "bytes of both, accessible at some time", harness.Bytes, a.Bytes},
			{"reservations", "reservations, never accessible", harness.Count, a.Reservations},
			{"reserved_bytes", "bytes never accessible", harness.Bytes, a.ReservedBytes},
		}
	}
	if c.PeakThreads > 0 {
		list = append(list, tally{"peak_threads", "peak OS threads", harness.Count, c.PeakThreads})
	}
	for _, t := range counters {
		value, there := c.Counts[t.key]
		if !there {
			continue
		}
		if t.value = value; t.unit == "" {
			t.unit = harness.Count
		}
		list = append(list, t)
	}
	return list
}
