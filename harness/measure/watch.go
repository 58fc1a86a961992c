package measure

import (
	"time"

	"github.com/shirou/gopsutil/v3/process"

	"github.com/ddsabench/ddsabench/harness"
)

// maxPoints bounds a series. A full one is thinned to every second point and
// from then on filled half as often.
const maxPoints = 1200

// A watcher looks at a child from outside while it lives.
type watcher struct {
	peakThreads int
	series      harness.Series
	stride      int // one look in stride is kept
	looks       int
	end, done   chan struct{}
}

// watch starts to look at the process, every interval until stop.
func watch(pid int, interval time.Duration, start time.Time) *watcher {
	w := &watcher{
		stride: 1, end: make(chan struct{}), done: make(chan struct{}),
		series: harness.Series{At: []time.Duration{}, RSS: []uint64{}, Threads: []int{}},
	}
	go func() {
		defer close(w.done)
		p, err := process.NewProcess(int32(pid))
		if err != nil {
			return // it has ended
		}
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			w.look(p, start)
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

func (w *watcher) look(p *process.Process, start time.Time) {
	memory, err := p.MemoryInfo()
	if err != nil || memory.RSS == 0 {
		return // it has ended and waits for its parent
	}
	threads, err := p.NumThreads()
	if err != nil {
		return
	}
	w.add(time.Since(start), memory.RSS, int(threads))
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
