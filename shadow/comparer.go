package shadow

import (
	"cmp"
	"context"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
)

// A Config is what a Comparer needs.
type Config struct {
	// NewExecutor makes the executor that is compared. It is called on the
	// worker, for the first file and again after a panic or where it cannot be
	// used any more. Its limits are the shadow's own. An
	// executor.FileExecutor parses for itself.
	NewExecutor func() (executor.Executor, error)
	// Store keeps the mismatches; nil: a store of the Comparer's own. Several
	// Comparers may share one.
	Store *Store
	// Queue is how many files may wait, and QueueBytes about how much text and
	// findings; 0 means DefaultQueue and DefaultQueueBytes. A file beyond
	// QueueBytes is taken when it is the only one.
	Queue      int
	QueueBytes int
	// Wait has Offer wait for room in the queue, so that nothing is dropped:
	// for programs where nobody waits for the answer. Close ends the waiting.
	Wait bool
}

// The defaults of a Config.
const (
	DefaultQueue      = 64
	DefaultQueueBytes = 32 << 20
)

// A Comparer runs files' rules again and compares. A nil Comparer takes
// nothing and counts nothing. All methods may be called from any goroutine.
type Comparer struct {
	config Config
	close  func() error

	ctx    context.Context // of the shadow's executions
	cancel context.CancelFunc
	worker sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond // the queue, working or closed
	queue   []waiting
	bytes   int // in the queue
	working bool
	closed  bool
	counts  Counts
	ex      executor.Executor // nil before the first file and after a panic
	past    executor.Stats    // of executors that have ended
	err     error             // from closing an executor
}

type waiting struct {
	Answer
	size int
}

// New starts a Comparer, which is one worker: a goroutine on an OS thread of
// its own. It must be closed.
func New(c Config) *Comparer {
	c.Queue = cmp.Or(c.Queue, DefaultQueue)
	c.QueueBytes = cmp.Or(c.QueueBytes, DefaultQueueBytes)
	if c.Store == nil {
		c.Store = NewStore(0, false)
	}
	s := &Comparer{config: c}
	s.changed.L = &s.mu
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.close = sync.OnceValue(s.stop)
	s.worker.Go(s.work)
	return s
}

// Offer hands over a file to compare and reports whether it was taken. It
// takes the time of a copy, never that of an execution, unless Config.Wait is
// set.
func (c *Comparer) Offer(a Answer) bool {
	if c == nil || !c.put(a) {
		a.release()
		return false
	}
	return true
}

func (c *Comparer) put(a Answer) bool {
	size := a.size()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.config.Wait && !c.closed && !c.room(size) {
		c.changed.Wait()
	}
	if c.closed || !c.room(size) {
		c.counts.Dropped++
		return false
	}
	c.queue = append(c.queue, waiting{a.own(), size})
	c.bytes += size
	c.changed.Broadcast()
	return true
}

// room says that the queue can take size bytes more.
func (c *Comparer) room(size int) bool {
	return len(c.queue) == 0 || len(c.queue) < c.config.Queue && c.bytes+size <= c.config.QueueBytes
}

// next waits for a file and takes it from the queue; false means that the
// Comparer is closed.
func (c *Comparer) next() (Answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working = false
	c.changed.Broadcast()
	for len(c.queue) == 0 && !c.closed {
		c.changed.Wait()
	}
	if c.closed {
		return Answer{}, false
	}
	first := c.queue[0]
	c.queue[0] = waiting{} // holds no memory
	c.queue = c.queue[1:]
	c.bytes -= first.size
	c.working = true
	c.changed.Broadcast()
	return first.Answer, true
}

// Drain waits until no file waits or is being compared, or ctx ends, whose
// error it returns then.
func (c *Comparer) Drain(ctx context.Context) error {
	if c == nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.changed.Broadcast()
	})()
	c.mu.Lock()
	defer c.mu.Unlock()
	for (c.working || len(c.queue) > 0) && ctx.Err() == nil {
		c.changed.Wait()
	}
	if c.working || len(c.queue) > 0 {
		return ctx.Err()
	}
	return nil
}

// Close ends a running execution and waits for it; files that wait are
// dropped. Calling it twice is fine. It returns what closing the executors
// gave.
func (c *Comparer) Close() error {
	if c == nil {
		return nil
	}
	return c.close()
}

func (c *Comparer) stop() error {
	c.mu.Lock()
	c.closed = true
	dropped := c.queue
	c.queue, c.bytes = nil, 0
	c.counts.Dropped += uint64(len(dropped))
	c.changed.Broadcast()
	c.mu.Unlock()
	for _, w := range dropped {
		w.release()
	}
	c.cancel()
	c.worker.Wait()
	return c.err
}
