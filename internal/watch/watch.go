// Package watch is what both watchdogs share: the guard, a word that says
// whether the running execution may still be stopped, and the interface by
// which a runtime is watched. It knows V8 only as two methods.
package watch

// An Isolate is what a watchdog has to know of V8. Terminate may be called
// from any goroutine at any time; Cancel takes a termination back and is called
// on the executing goroutine, when no script is running.
type Isolate interface {
	Terminate()
	Cancel()
}

// A Thread is a started OS thread.
type Thread interface {
	// Join waits for the thread's end. It is called once.
	Join()
}

// A Starter starts an OS thread that runs body. A refused thread is an error.
type Starter func(body func()) (Thread, error)

// A Cause is why an execution was stopped.
type Cause uint8

// The causes. None means that the execution was not stopped.
const (
	None    Cause = iota
	Timeout       // the rule's own time limit
	Context       // the caller's context: cancelled, or its deadline
	Memory        // the heap limit
	Closed        // the executor is being closed
)

// A Watchdog watches the executions of one runtime, one at a time. It is made
// with the runtime's Guard, through which it claims and stops an execution.
type Watchdog interface {
	// Arm starts to watch an execution that is due at deadline (on the guard's
	// clock; Forever for none). If it fails, the script must not run and
	// Disarm must not be called.
	Arm(deadline int64) error
	// Disarm ends the watching and returns the verdict. After it returns no
	// termination of this execution can arrive, and none is pending.
	Disarm() Cause
	// Close ends the watchdog and waits for its thread. Nothing is armed then.
	// Calling it twice is fine.
	Close()
	// Threads returns how many OS threads were started, and joined. It may be
	// called from any goroutine.
	Threads() (started, ended uint64)
}
