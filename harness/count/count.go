package count

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench/harness"
)

// Options say how to count. The zero value is ready to use.
type Options struct {
	// Sources are tried in this order; nil means BPF, perf_event, /proc.
	Sources []harness.Source
	// MountTracefs permits mounting tracefs at its usual place while counting,
	// if a source needs it and it is not there.
	MountTracefs bool
}

// A source counts a process and all that comes from it, from its start on.
type source interface {
	// stop ends the counting, adds to c what was counted, and releases
	// everything, also when it fails.
	stop(c *harness.Counted) error
}

// A Counter counts one process. It is for one goroutine.
type Counter struct {
	pid    int
	result harness.Counted
	source source
	group  *pidsGroup // nil if it could not be had
	before faults
}

// Start waits until the process waits for its standard input, and begins to
// count it, its threads and all children that it makes from then on. It returns
// a Counter, which must be stopped, or an error, and then nothing is left
// behind. A process that has ended already is counted as one that does nothing.
// The process must be a child of this one.
func Start(ctx context.Context, pid int, o Options) (*Counter, error) {
	ended, err := awaitIdle(ctx, pid)
	if err != nil {
		return nil, err
	}
	c := &Counter{pid: pid, result: harness.Counted{Counts: map[harness.Counter]uint64{}}}
	if c.result.StackCache = true; !ended {
		if c.result.StackCache, err = stackCache(pid); err != nil {
			return nil, err
		}
	}
	if c.before, err = readFaults(pid); err != nil {
		return nil, err
	}
	sources := o.Sources
	if sources == nil {
		sources = []harness.Source{harness.BPF, harness.PerfEvent, harness.Proc}
	}
	for _, s := range sources {
		if c.source, err = start(s, pid, o); err == nil {
			c.result.Source = s
			break
		}
		c.result.Declined = append(c.result.Declined, err.Error())
	}
	if c.source == nil {
		return nil, fmt.Errorf("nothing to count process %d with: %w", pid, err)
	}
	if c.group, err = newPidsGroup(pid); err != nil {
		c.result.Declined = append(c.result.Declined, err.Error())
	}
	return c, nil
}

// start starts one source. Errors say what to do.
func start(s harness.Source, pid int, o Options) (source, error) {
	switch s {
	case harness.BPF:
		return startBPF(pid)
	case harness.PerfEvent:
		return startPerf(pid, o.MountTracefs)
	case harness.Proc:
		return startProc(pid)
	}
	return nil, fmt.Errorf("no source %q; there are %s, %s, %s", s, harness.BPF, harness.PerfEvent, harness.Proc)
}

// Stop ends the counting, releases everything and returns what was counted. The
// process must have ended, but its number must not be free yet: call Stop before
// the process is waited for. Stop is called once. An error means that a figure
// could not be read or something could not be removed; the result is then nil.
func (c *Counter) Stop() (*harness.Counted, error) {
	// Newest first. What fails must not keep the rest from being released.
	groupErr := c.group.stop(&c.result)
	sourceErr := c.source.stop(&c.result)
	after, faultsErr := readFaults(c.pid)
	if err := errors.Join(groupErr, sourceErr, faultsErr); err != nil {
		return nil, fmt.Errorf("count process %d: %w", c.pid, err)
	}
	c.result.Counts[harness.MinorFaults] = after.minor - c.before.minor
	c.result.Counts[harness.MajorFaults] = after.major - c.before.major
	return &c.result, nil
}
