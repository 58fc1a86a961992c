package measure

import (
	"sync/atomic"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

// maxPoints bounds a series. A full one is thinned to every second point and
// from then on filled half as often.
const maxPoints = 1200

// A watcher looks at a child's family from outside while it lives.
type watcher struct {
	family      *family
	ready       atomic.Bool // the child has begun with its job
	peakThreads int
	// peak has the largest sums of the processes' own peaks that were seen at
	// one time in the job: what a process had that has ended since is in it.
	peak      harness.Memory
	series    harness.Series
	stride    int // one look in stride is kept
	looks     int
	end, done chan struct{}
}

// watch starts to look at the child with that number, every interval until
// stop, or never if spec says so.
func watch(pid int, spec JobSpec, interval time.Duration, start time.Time) *watcher {
	w := &watcher{
		family: newFamily(pid, spec.Processes),
		stride: 1, end: make(chan struct{}), done: make(chan struct{}),
		series: harness.Series{At: []time.Duration{}, RSS: []uint64{}, Threads: []int{}},
	}
	if spec.Unsampled {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			w.look(start)
			select {
			case <-tick.C:
			case <-w.end:
				return
			}
		}
	}()
	return w
}

// stop ends the looking; afterwards the watcher's fields may be read.
func (w *watcher) stop() {
	close(w.end)
	<-w.done
}

// noticing are the events with the child's word that it begins noticed.
func (w *watcher) noticing(events Events) Events {
	tell := events.Ready
	events.Ready = func() {
		w.ready.Store(true)
		if tell != nil {
			tell()
		}
	}
	return events
}

// keep puts the peaks of processes that have ended since into what the child
// said of those that it still had.
func (w *watcher) keep(m *harness.Memory) {
	if w.family.below {
		m.PeakRSS = max(m.PeakRSS, w.peak.PeakRSS)
		m.PeakVirtual = max(m.PeakVirtual, w.peak.PeakVirtual)
	}
}

func (w *watcher) look(start time.Time) {
	ready := w.ready.Load() // before the peaks are read
	var m harness.Memory
	if err := w.family.readMemory(&m); err != nil {
		return // it has ended and waits for its parent
	}
	if ready {
		w.peak.PeakRSS = max(w.peak.PeakRSS, m.PeakRSS)
		w.peak.PeakVirtual = max(w.peak.PeakVirtual, m.PeakVirtual)
	}
	w.add(time.Since(start), m.RSS, int(m.Threads))
}

func (w *watcher) add(at time.Duration, rss uint64, threads int) {
	w.peakThreads = max(w.peakThreads, threads)
	w.looks++
	if (w.looks-1)%w.stride != 0 {
		return
	}
	s := &w.series
	if len(s.At) == maxPoints {
		for i := range maxPoints / 2 {
			s.At[i], s.RSS[i], s.Threads[i] = s.At[2*i], s.RSS[2*i], s.Threads[2*i]
		}
		s.At, s.RSS, s.Threads = s.At[:maxPoints/2], s.RSS[:maxPoints/2], s.Threads[:maxPoints/2]
		w.stride *= 2
	}
	s.At, s.RSS, s.Threads = append(s.At, at), append(s.RSS, rss), append(s.Threads, threads)
}
