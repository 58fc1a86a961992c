package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An Outcome is how an execution ended. The outcomes exclude each other.
type Outcome uint8

// The outcomes of an execution.
const (
	OK         Outcome = iota
	Timeout            // the rule's time limit passed
	Memory             // the heap limit was reached
	Script             // the script threw, does not compile, or broke an output limit
	Cancelled          // the caller's context ended
	Closed             // the executor was or is being closed
	Busy               // another execution is running in this runtime
	NoWatchdog         // no watchdog could be started, so the script did not run
	Internal           // a fault of ours or of V8's
	Crashed            // the worker process died of it
	Hung               // it did not end when told to, so the worker process was killed

	OutcomeCount = iota
)

var outcomeNames = [OutcomeCount]string{
	"ok", "timeout", "memory", "script error", "cancelled", "closed", "busy", "watchdog not started", "internal error",
	"crashed", "hung",
}

// String is the outcome in words, as reports print it.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome %d", o)
}

// ErrUnusable says that an executor can run nothing any more, such as one whose
// worker process does not start. A pool's job ends with it.
var ErrUnusable = errors.New("executor cannot be used")

// Targets for errors.Is, one for each way an execution can fail. ErrTimeout is
// also context.DeadlineExceeded. An execution stopped by its context is
// ErrCancelled and the context's own error, not ErrTimeout.
var (
	ErrTimeout    = errors.New("timeout")
	ErrMemory     = errors.New("memory limit")
	ErrScript     = errors.New("script error")
	ErrCancelled  = errors.New("cancelled")
	ErrClosed     = errors.New("executor closed")
	ErrBusy       = errors.New("executor busy")
	ErrNoWatchdog = errors.New("watchdog not started")
	ErrInternal   = errors.New("internal error")
	ErrCrashed    = errors.New("worker process crashed")
	ErrHung       = errors.New("worker process hung")
)

var outcomeErrors = [OutcomeCount]error{
	nil, ErrTimeout, ErrMemory, ErrScript, ErrCancelled, ErrClosed, ErrBusy, ErrNoWatchdog, ErrInternal,
	ErrCrashed, ErrHung,
}

// An Error says how one execution failed.
type Error struct {
	Outcome Outcome
	// Rule and File name the pair. Rule is empty if a worker process died or
	// hung while it parsed the file.
	Rule, File string
	// Limit is the time limit in force, 0 if none; HeapLimit the heap's.
	Limit     time.Duration
	HeapLimit uint64
	// Elapsed is the time from the start of the execution to its end.
	Elapsed time.Duration
	// Detail is what V8 said: the message of an uncaught exception with the
	// rule's own stack lines, or its last words.
	Detail string
	// Err is the cause, where there is one.
	Err error
}

// Error names the pair, what happened, and the limit where there is one.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Rule == "" {
		fmt.Fprintf(&b, "parsing %s: %v", e.File, e.Outcome)
	} else {
		fmt.Fprintf(&b, "rule %s on %s: %v", e.Rule, e.File, e.Outcome)
	}
	switch e.Outcome {
	case Timeout, Hung:
		fmt.Fprintf(&b, " after %v (limit %v)", e.Elapsed.Round(time.Microsecond), e.Limit)
	case Memory:
		fmt.Fprintf(&b, ": heap limit %d MiB", e.HeapLimit>>20)
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Is matches the Err… value of the outcome.
func (e *Error) Is(target error) bool {
	if e.Outcome == Timeout && target == context.DeadlineExceeded {
		return true
	}
	return int(e.Outcome) < len(outcomeErrors) && e.Outcome != OK && outcomeErrors[e.Outcome] == target
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
