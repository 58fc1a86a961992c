package count

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// A fold turns the stream of events into an allocation profile and the peak of
// threads.
type fold struct {
	spaces        map[uint32]*space // by process; a thread shares its process's
	total         totals
	threads, peak uint64
}

// newFold begins with that many threads.
func newFold(threads uint64) *fold {
	return &fold{spaces: map[uint32]*space{}, threads: threads, peak: threads}
}

// readEvery is the time between two looks at the ring buffer. In it 1,000
// threads at most are made and ended, 5,000 events.
const readEvery = 20 * time.Millisecond

// readAll folds in events until the reader is flushed.
func (f *fold) readAll(r *ringbuf.Reader) error {
	var record ringbuf.Record
	for {
		switch err := r.ReadInto(&record); {
		case errors.Is(err, ringbuf.ErrFlushed):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			r.SetDeadline(time.Now().Add(readEvery))
			continue
		case err != nil:
			return fmt.Errorf("BPF events: %w", err)
		case len(record.RawSample) != eventSize:
			return fmt.Errorf("BPF events: one of %d bytes, not %d", len(record.RawSample), eventSize)
		}
		f.add(record.RawSample)
	}
}

// add folds in one event: kind, process, four arguments, result.
func (f *fold) add(e []byte) {
	word := func(at int) uint64 { return binary.NativeEndian.Uint64(e[at:]) }
	kind, tgid := binary.NativeEndian.Uint32(e), binary.NativeEndian.Uint32(e[4:])
	a, b, c, d, result := word(8), word(16), word(24), word(32), word(40)
	switch kind {
	case eventBirth:
		f.threads++
		f.peak = max(f.peak, f.threads)
		return
	case eventDeath:
		f.threads--
		return
	}
	s := f.spaces[tgid]
	if s == nil {
		s = &space{page: uint64(os.Getpagesize()), total: &f.total}
		f.spaces[tgid] = s
	}
	switch kind {
	case unix.SYS_MMAP:
		s.mmap(result, b, c, d)
	case unix.SYS_MUNMAP:
		s.munmap(a, b)
	case unix.SYS_MPROTECT:
		s.mprotect(a, b, c)
	case unix.SYS_MREMAP:
		s.mremap(a, b, c, d, result)
	case eventExec:
		s.close() // the process begins anew
	}
}

// finish adds to c what the events say. The fold is used up.
func (f *fold) finish(c *harness.Counted) {
	for _, s := range f.spaces {
		s.close()
	}
	c.Counts[harness.AnonymousMaps] = f.total.maps
	c.Counts[harness.AnonymousBytes] = f.total.mapped
	c.Allocations = &f.total.Allocations
	if f.total.odd > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf(
			"%d mapping calls did not fit those before them (events out of order, or shared memory duplicated by mremap); the allocation profile may be off by as many.", f.total.odd))
	}
	if c.PeakThreads == 0 {
		c.PeakThreads, c.PeakFrom = f.peak, "BPF events"
	}
}
