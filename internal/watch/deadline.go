package watch

import (
	"context"
	"math"
	"time"
)

// Forever is the deadline of an execution without a time limit.
const Forever int64 = math.MaxInt64

// Now reads the guard's clock: monotonic nanoseconds since the guard was made,
// at least 1. Any goroutine may call it.
func (g *Guard) Now() int64 {
	return later(1, time.Since(g.base))
}

// Limit returns the deadline of an execution that started at start (a reading
// of Now): the earlier of start + timeout (0 means none) and ctx's deadline. It
// remembers which of the two it was, so that an execution stopped at the
// deadline gets Timeout or Context for its cause; in the latter case ctx.Err
// may still be nil for a moment. The executing goroutine calls it before Arm.
func (g *Guard) Limit(ctx context.Context, start int64, timeout time.Duration) int64 {
	deadline := Forever
	g.due = Timeout
	if timeout > 0 {
		deadline = later(start, timeout)
	}
	if at, ok := ctx.Deadline(); ok {
		// Kept to what can be a deadline: one that passed before the guard was
		// made is 1.
		if d := later(1, max(0, at.Sub(g.base))); d < deadline {
			deadline, g.due = d, Context
		}
	}
	return deadline
}

// later adds without overflow; neither argument is negative.
func later(start int64, d time.Duration) int64 {
	if int64(d) > Forever-start {
		return Forever
	}
	return start + int64(d)
}
