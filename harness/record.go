package harness

import (
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Schema is the version of the record's form. It changes when an old reader
// would misread a new record; a new optional field does not change it.
const Schema = 1

// MaxRounds bounds the counted rounds of one comparison.
const MaxRounds = 1000

// A Record is one comparison: a header, then a sample for each child process
// (those of the counted pass last), then, if findings differed, where, and the closing line. A field without
// omitempty is required on reading.
type Record struct {
	Header      Header       `json:"header"`
	Samples     []Sample     `json:"samples"`
	Differences []Difference `json:"differences,omitempty"`
	// Closing is nil in a record that was cut off.
	Closing *Closing `json:"closing,omitempty"`
}

// A Header says what was compared and where.
type Header struct {
	Schema  int       `json:"schema"`
	Started time.Time `json:"started"`
	// Command is the command line with paths of the machine left out.
	Command []string `json:"command"`
	// Seed fixes the order of the arms in all rounds.
	Seed uint64 `json:"seed"`
	// Arms are the sides of the comparison; the first is the baseline.
	Arms []string `json:"arms"`
	// Rounds are the counted rounds; Warmup rounds come before them.
	Rounds int `json:"rounds"`
	Warmup int `json:"warmup"`
	// MinEffect is the least change that matters: 0.01 is one per cent.
	MinEffect float64 `json:"min_effect"`
	// Workers is the number of executors that run at once in a child.
	Workers int `json:"workers"`
	// Pinned are the cores that the children were confined to; empty means all.
	Pinned []int `json:"pinned,omitempty"`
	// Shard is the part of a corpus that was run; nil for all of it.
	Shard *Shard `json:"shard,omitempty"`
	// Merged is the number of shards whose records this one was made of; 0 for
	// none. Its times and counts are then sums over the shards, its peaks the
	// largest of any.
	Merged int `json:"merged,omitempty"`
	// Uncounted says why there is no counted pass although one was asked for.
	Uncounted string `json:"uncounted,omitempty"`
	// FindingsMethod is how the samples' digests of findings were made. Digests
	// of different methods do not compare. Empty in old records, whose digest is
	// that of all lines, sorted.
	FindingsMethod string        `json:"findings_method,omitempty"`
	RuleTimeout    time.Duration `json:"rule_timeout_ns"`
	Corpus         Input         `json:"corpus"`
	Rules          Input         `json:"rules"`
	Environment    Environment   `json:"environment"`
}

// An Input names a corpus or a rule set and fixes its content.
type Input struct {
	Name   string                    `json:"name"`
	Digest string                    `json:"sha256"`
	Counts map[executor.Language]int `json:"counts"`
	// Bytes is the size of a corpus; 0 if it was not recorded.
	Bytes int64 `json:"bytes,omitempty"`
}

// A Shard is part Index of Of, from 1, of Whole.
type Shard struct {
	Index int   `json:"index"`
	Of    int   `json:"of"`
	Whole Input `json:"whole"`
}

// An Environment is the machine and the settings that can move figures. Sizes
// are in bytes.
type Environment struct {
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
	Memory   uint64 `json:"memory_bytes"`
	Kernel   string `json:"kernel"`
	Go       string `json:"go"`
	V8       string `json:"v8"`
	LibC     string `json:"libc,omitempty"`
	Commit   string `json:"commit"`
	MaxProcs int    `json:"gomaxprocs"`
	// StackLimit is ulimit -s, the size of a thread's stack unless the thread
	// asks for another; 0 means unlimited.
	StackLimit uint64 `json:"stack_limit_bytes"`
	// HugePages is the kernel's setting for transparent huge pages.
	HugePages string `json:"transparent_hugepages"`
	// Variables are those set of GLIBC_TUNABLES, MALLOC_*, GOGC, GOMEMLIMIT
	// and GODEBUG.
	Variables map[string]string `json:"variables"`
	Load      Load              `json:"load"`
}

// A Load says how busy the whole machine was at one instant.
type Load struct {
	// Average is the load average over one minute.
	Average float64 `json:"average"`
	// Steal is the time since boot that the hypervisor gave to others, summed
	// over the cores.
	Steal time.Duration `json:"steal_ns"`
	// Busy is the time since boot that the cores worked, summed.
	Busy time.Duration `json:"busy_ns"`
}

// A Difference is a pair on which two samples do not agree.
type Difference struct {
	Pair
	A Finding `json:"a"`
	B Finding `json:"b"`
}

// A Pair is one rule on one file.
type Pair struct {
	Language executor.Language `json:"language"`
	Path     string            `json:"path"`
	// Rule is empty where the whole file is meant, because it was not parsed.
	Rule string `json:"rule"`
}

// A Finding is what one arm says of a pair, in short.
type Finding struct {
	Arm        string `json:"arm"`
	Outcome    string `json:"outcome"`
	Violations int    `json:"violations"`
	// First is the first violation as text, cut to a readable length.
	First string `json:"first,omitempty"`
	// Digest tells two findings apart that read the same.
	Digest string `json:"sha256,omitempty"`
}

// A Closing ends a record that was not cut off.
type Closing struct {
	Ended       time.Time `json:"ended"`
	Interrupted bool      `json:"interrupted"`
	// Stopped says why the comparison ended before its last round.
	Stopped string `json:"stopped,omitempty"`
	Load    Load   `json:"load"`
}
