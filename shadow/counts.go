package shadow

import "github.com/ddsabench/ddsabench/executor"

// Counts are what a Comparer has done.
type Counts struct {
	// Files are the files compared, or that the shadow failed on. Dropped are
	// those not taken because the queue was full or the Comparer closed, or that
	// waited when it was closed.
	Files, Dropped uint64
	// Waiting are the files in the queue now.
	Waiting int
	// Pairs are the pairs of rule and file compared. Skipped are those that
	// cannot be: one side was stopped from outside, or never began.
	Pairs, Skipped uint64
	// Mismatches are the pairs, and for Failed also the files, that did not
	// come out the same, by Kind.
	Mismatches [KindCount]uint64
}

// Total returns the number of mismatches of all kinds.
func (c Counts) Total() uint64 {
	var sum uint64
	for _, n := range c.Mismatches {
		sum += n
	}
	return sum
}

// Counts returns what was done so far.
func (c *Comparer) Counts() Counts {
	if c == nil {
		return Counts{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := c.counts
	counts.Waiting = len(c.queue)
	return counts
}

// Mismatches returns the latest mismatches of the Comparer's store, the latest
// first.
func (c *Comparer) Mismatches() []Mismatch {
	if c == nil {
		return nil
	}
	return c.config.Store.Mismatches()
}

// Stats returns the counts of the shadow's executors.
func (c *Comparer) Stats() executor.Stats {
	if c == nil {
		return executor.Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := c.past
	if c.ex != nil {
		sum.Add(c.ex.Stats())
	}
	return sum
}
