package harness

import (
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A Sample is one child process. It has either Figures or Void; Traced, it has
// Counted with its Figures.
type Sample struct {
	// Round counts from 0, warm-up rounds first; Position is the place in the
	// round, from 0.
	Round    int    `json:"round"`
	Position int    `json:"position"`
	Arm      string `json:"arm"`
	// Warmup samples are checked for their findings and not counted.
	Warmup bool `json:"warmup"`
	// Start is the time from the record's start to the child's.
	Start time.Duration `json:"start_ns"`
	// End is the time from the record's start to the child's end.
	End time.Duration `json:"end_ns"`
	// LoadBefore and LoadAfter are the machine's load at Start and at End.
	LoadBefore Load `json:"load_before"`
	LoadAfter  Load `json:"load_after"`
	// Startup is the time from the child's start until it was ready to work.
	Startup time.Duration `json:"startup_ns"`
	// PeakThreads is the largest number of OS threads that the parent saw; a
	// spike between two looks is missed. It is 0, and Series empty, if the parent
	// did not look.
	PeakThreads int      `json:"peak_threads"`
	Series      Series   `json:"series"`
	Figures     *Figures `json:"figures,omitempty"`
	Void        *Void    `json:"void,omitempty"`
	// Traced samples are those of the counted pass, one for each arm, in a round
	// of their own after all others. Tracing slows a child, so their times are
	// none of the comparison's; their findings are.
	Traced bool `json:"traced,omitempty"`
	// Counted is what was counted of a traced child.
	Counted *Counted `json:"counted,omitempty"`
	// Empty is what was counted of a child of the same arm that got no files:
	// what starting and ending the program costs. It is nil if that failed.
	Empty *Counted `json:"counted_empty,omitempty"`
}

// A Series is what the parent saw of a child over time. The slices have equal
// lengths. A long series is thinned evenly.
type Series struct {
	// At is the time from the child's start, in nanoseconds.
	At      []time.Duration `json:"at_ns"`
	RSS     []uint64        `json:"rss_bytes"`
	Threads []int           `json:"threads"`
}

// Figures are what a child measured of itself, from the first file to the last
// unless said otherwise. Sums over workers exceed the wall clock. Sizes are in
// bytes.
type Figures struct {
	// Findings is the digest of everything found (see measure).
	Findings string `json:"findings_sha256"`
	// TimedOut names the first pairs that timed out, sorted.
	TimedOut  []Pair                       `json:"timed_out,omitempty"`
	Languages map[executor.Language]Counts `json:"languages"`
	// Outcomes counts pairs by the outcome's name.
	Outcomes map[string]uint64 `json:"outcomes"`
	// Unparsed counts files that could not be read or parsed.
	Unparsed uint64 `json:"unparsed"`

	Wall time.Duration `json:"wall_ns"`
	// InExecutions is summed around Execute, watching included; InV8 is the
	// part inside the call into V8, Query the part in rules' own queries.
	InExecutions time.Duration `json:"in_executions_ns"`
	InV8         time.Duration `json:"in_v8_ns"`
	Query        time.Duration `json:"query_ns"`
	// Load is the time to read, parse and match, of which Parse and Match.
	Load  time.Duration `json:"load_ns"`
	Parse time.Duration `json:"parse_ns"`
	Match time.Duration `json:"match_ns"`

	// Latency is the distribution of the parts of InExecutions; nil if it was
	// not taken.
	Latency *Latency `json:"latency,omitempty"`

	Executions       uint64 `json:"executions"`
	WatchdogsStarted uint64 `json:"watchdogs_started"`
	// WatchdogsEnded is taken after the executors were closed.
	WatchdogsEnded uint64 `json:"watchdogs_ended"`

	Memory Memory `json:"memory"`
	// Job and Before are the process's usage in the job and before it.
	Job    Usage `json:"usage"`
	Before Usage `json:"usage_before"`
}

// Counts are totals over the files of one language.
type Counts struct {
	Files      uint64 `json:"files"`
	Pairs      uint64 `json:"pairs"`
	Executions uint64 `json:"executions"`
	Visits     uint64 `json:"visits"`
	Violations uint64 `json:"violations"`
}

// A Memory is what the kernel says of the process at the end of the job. If its
// executors live in processes of their own it is the sum over all of them, and
// the peaks are sums of peaks, which need not have come at one time; those of
// processes that ended before are kept as the parent last saw them.
type Memory struct {
	// PeakRSS is VmHWM, set back at the job's start if PeakReset; otherwise it
	// includes start-up.
	PeakRSS   uint64 `json:"peak_rss_bytes"`
	PeakReset bool   `json:"peak_reset"`
	RSS       uint64 `json:"rss_bytes"`
	// PeakVirtual includes start-up: the kernel cannot set it back.
	PeakVirtual uint64 `json:"peak_virtual_bytes"`
	Virtual     uint64 `json:"virtual_bytes"`
	PageTables  uint64 `json:"page_tables_bytes"`
	Threads     uint64 `json:"threads"`
}

// A Usage is the use of the processor and of memory pages by all threads, those
// of processes below among them. The times of these are known to 10 ms each, and
// the switches of their end count in the job.
type Usage struct {
	User        time.Duration `json:"user_ns"`
	System      time.Duration `json:"system_ns"`
	MinorFaults uint64        `json:"minor_faults"`
	MajorFaults uint64        `json:"major_faults"`
	// A voluntary switch is a thread that waits, an involuntary one a thread
	// that was made to give way.
	Voluntary   uint64 `json:"voluntary_switches"`
	Involuntary uint64 `json:"involuntary_switches"`
}

// Sub returns u less before, each figure 0 at least: of a process that ended, the
// kernel need not tell as much as was seen of it while it lived.
func (u Usage) Sub(before Usage) Usage {
	return Usage{
		User:        u.User - min(u.User, before.User),
		System:      u.System - min(u.System, before.System),
		MinorFaults: u.MinorFaults - min(u.MinorFaults, before.MinorFaults),
		MajorFaults: u.MajorFaults - min(u.MajorFaults, before.MajorFaults),
		Voluntary:   u.Voluntary - min(u.Voluntary, before.Voluntary),
		Involuntary: u.Involuntary - min(u.Involuntary, before.Involuntary),
	}
}

// A Cause is why a sample is void.
type Cause string

// The causes of a void sample.
const (
	Signal   Cause = "killed by a signal"
	Exit     Cause = "exited with an error"
	NoResult Cause = "exited without a result"
	Hang     Cause = "not done within its time limit"
	Garbage  Cause = "wrote something that is not a result"
	// Uncounted is a traced child that did its work, but was not counted.
	Uncounted Cause = "could not be counted"
)

// A Void is a sample that gave no figures, and why.
type Void struct {
	Cause Cause `json:"cause"`
	// Detail is the signal, the child's own error, the limit or the garbage.
	Detail string `json:"detail"`
	// Exit is the exit status, -1 if it ended by a signal.
	Exit int `json:"exit"`
	// Stderr are the last lines that the child wrote to its standard error.
	Stderr []string `json:"stderr,omitempty"`
}

// String is the void in one line.
func (v *Void) String() string {
	if v.Detail == "" {
		return string(v.Cause)
	}
	return string(v.Cause) + ": " + v.Detail
}
