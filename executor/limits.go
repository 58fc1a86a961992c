package executor

import (
	"fmt"
	"time"
)

// Limits bound one execution and the runtime that it runs in.
type Limits struct {
	// Timeout bounds one execution on the monotonic clock; 0 means none. A rule's
	// own query (see Tree.Matches) has a minute even then.
	Timeout time.Duration
	// Heap is the size of a runtime's JavaScript heap in bytes.
	Heap uint64
	// Buffers caps memory outside the heap that scripts can allocate, in bytes.
	Buffers uint64
	// Violations, Message and Output cap one execution's findings (count; fixes
	// and edits together ten times as many), the length of one text in a
	// finding, and what it prints (both in UTF-16 units). A script that goes
	// over is a script error.
	Violations, Message, Output int
	// InV8 is no limit: it has each execution measure Result.InV8. That takes two
	// more readings of the clock, an eighth of an execution that does nothing.
	InV8 bool
}

// DefaultLimits are the limits of both executors unless told otherwise. Both
// start from this one value, so that they cannot drift apart.
func DefaultLimits() Limits {
	return Limits{
		Timeout:    2 * time.Second,
		Heap:       512 << 20,
		Buffers:    256 << 20,
		Violations: 10_000,
		Message:    1 << 20,
		Output:     4 << 20,
	}
}

// Check returns an error that names the first limit that makes no sense.
func (l Limits) Check() error {
	switch {
	case l.Timeout < 0:
		return fmt.Errorf("executor: timeout %v is negative; use 0 for none", l.Timeout)
	case l.Heap < 16<<20:
		return fmt.Errorf("executor: heap limit %d bytes is below 16 MiB", l.Heap)
	case l.Violations < 1 || l.Message < 1 || l.Output < 1:
		return fmt.Errorf("executor: limits on violations, message and output must be at least 1")
	case max(l.Violations, l.Message, l.Output) > 1<<28:
		return fmt.Errorf("executor: limits on violations, message and output must be at most %d", 1<<28)
	}
	return nil
}
