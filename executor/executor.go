package executor

import "context"

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
