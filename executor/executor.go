package executor

import (
	"context"
	"time"
)

// An Executor runs rules over files, one execution at a time. It owns one
// JavaScript runtime.
//
// Execute may be called from any goroutine, but not from two at once: the
// second call gets ErrBusy, and so does a call from inside a running one.
// Close and Stats may be called at any time, from any goroutine.
type Executor interface {
	// Name is the executor's name as the flag spells it: "legacy" or "ddsa".
	Name() string

	// Execute runs rule over file and returns what it found. The limit is the
	// smaller of Limits.Timeout and ctx's deadline. A non-nil error is always
	// an *Error; the violations of a run that did not end well are dropped.
	// A file in which the rule's query matches nothing never enters V8.
	Execute(ctx context.Context, rule *Rule, file *File) (Result, error)

	// Stats returns the counts since the executor was made.
	Stats() Stats

	// Close ends a running execution with ErrClosed, waits for it and for the
	// watchdog, and frees the runtime. Calling it twice is fine.
	Close() error
}

// A FileExecutor is an executor that parses too, in a process of its own. A pool
// hands it whole files, unparsed, several at a time.
type FileExecutor interface {
	Executor

	// ExecuteFiles parses files, of which it uses path, language and text, and
	// runs their rules over them in order. It calls next for a task until that
	// gives none, and done for each task in the same order, all on the calling
	// goroutine. With wait false next may give none for now, without waiting
	// for what done will bring about; with wait true none means that there are
	// no more. While next and done run, nobody looks whether what is under way
	// is over its limits, so that they should not wait. A file has to be valid
	// until its task is done. When ctx ends, or
	// Close is called, the results that are missing are ErrCancelled or
	// ErrClosed.
	//
	// The error is ErrUnusable if nothing can be run any more, ErrBusy or
	// ErrClosed if it was not the time to call; tasks that are under way are
	// then not done.
	ExecuteFiles(ctx context.Context, next func(wait bool) *FileTask, done func(*FileTask)) error
}

// A FileTask is a file and what is to become of it.
type FileTask struct {
	File *File
	// Result has an entry for each rule to run, with the rule. Filled in are
	// what came of it, Parsed, and Err if the file could not be parsed.
	Result *FileResult
}

// Parsed is what a file took before its rules ran.
type Parsed struct {
	// Parse is the time of parsing, Match that of finding all rules' matches.
	Parse, Match time.Duration
}

// Stats counts what an executor has done since it was made.
type Stats struct {
	// Executions is how many pairs of rule and file entered V8.
	Executions uint64
	// Outcomes counts all calls of Execute that reached an outcome, by
	// Outcome; pairs without a match count as OK.
	Outcomes [OutcomeCount]uint64
	// WatchdogsStarted and WatchdogsEnded count OS threads made to watch, and
	// those of them that have been joined.
	WatchdogsStarted, WatchdogsEnded uint64
}

// Add adds other's counts to s.
func (s *Stats) Add(other Stats) {
	s.Executions += other.Executions
	for i, n := range other.Outcomes {
		s.Outcomes[i] += n
	}
	s.WatchdogsStarted += other.WatchdogsStarted
	s.WatchdogsEnded += other.WatchdogsEnded
}
