package harness

// A Counted is what one child did, with all its threads and children, from the
// moment it was given its job to its end: start-up of the Go runtime apart,
// start-up of V8 included. Tracing slows the child, so a counted sample's times
// mean nothing.
type Counted struct {
	Source Source `json:"source"`
	// Declined says why better sources were not used, the best first.
	Declined []string `json:"declined,omitempty"`
	// Counts has what the source can count. What it cannot is absent, never 0.
	Counts map[Counter]uint64 `json:"counts"`
	// PeakThreads is the largest number of OS threads alive at once, without
	// gaps; 0 if it could not be had, and then PeakFrom is empty.
	PeakThreads uint64 `json:"peak_threads,omitempty"`
	PeakFrom    string `json:"peak_threads_from,omitempty"`
	// StackCache says whether the C library kept stacks of ended threads for
	// later ones, as it does by default.
	StackCache bool `json:"stack_cache"`
	// Allocations is nil if the source does not see single calls.
	Allocations *Allocations `json:"allocations,omitempty"`
	// LostEvents are calls that were counted but whose event was lost: the
	// allocation profile, the anonymous bytes and a peak from events are too
	// small, or worse, if it is not 0.
	LostEvents uint64 `json:"lost_events"`
	// Notes say what else is not exact and what was done to the machine, a
	// sentence each.
	Notes []string `json:"notes,omitempty"`
}

// A Source is where counts come from.
type Source string

// The sources, best first.
const (
	BPF       Source = "bpf"
	PerfEvent Source = "perf_event"
	Proc      Source = "proc"
)

// A Counter names a count.
type Counter string

// The counters. System calls are counted when they start, so failed ones are
// included; they bear the call's name.
const (
	ThreadsCreated   Counter = "threads_created"
	ProcessesCreated Counter = "processes_created"
	// ThreadExits includes processes' main threads, and so exceeds
	// ThreadsCreated by the threads that were there before counting.
	ThreadExits Counter = "thread_exits"

	Mmap     Counter = "mmap"
	Munmap   Counter = "munmap"
	Mremap   Counter = "mremap"
	Brk      Counter = "brk"
	Madvise  Counter = "madvise"
	Mprotect Counter = "mprotect"
	Futex    Counter = "futex"

	// AnonymousMaps are successful mmap calls for anonymous memory,
	// AnonymousBytes their lengths in whole pages, reservations included.
	AnonymousMaps  Counter = "anonymous_maps"
	AnonymousBytes Counter = "anonymous_bytes"

	ContextSwitches Counter = "context_switches"
	MinorFaults     Counter = "minor_faults"
	MajorFaults     Counter = "major_faults"
)

// Allocations is the profile of anonymous memory: one mapping per successful
// mmap call. A mapping that was never accessible (PROT_NONE throughout) is a
// reservation. Thread stacks begin as PROT_NONE and are opened by mprotect, so
// the protection at the call alone says nothing.
type Allocations struct {
	// Persistent mappings are at least partly there at the end, Transient ones
	// were fully unmapped before.
	Persistent uint64 `json:"persistent"`
	Transient  uint64 `json:"transient"`
	// Bytes are those that were accessible at some time, over all mappings,
	// growth by mremap included.
	Bytes        uint64 `json:"bytes"`
	Reservations uint64 `json:"reservations"`
	// ReservedBytes were never accessible: reservations, guard pages and the
	// unused rest of other mappings.
	ReservedBytes uint64 `json:"reserved_bytes"`
}
