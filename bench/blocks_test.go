package bench

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness/stats"
)

// A block is short, so that those of a round see the same machine, and so that
// most blocks are over before another program gets the processor: then the
// median is one that nothing has interrupted.
const blockTime = 200 * time.Microsecond

// V8 optimizes a rule in steps, some of them on another thread. It is done after
// so many runs, on a busy machine too, or when nothing has become quicker for so
// long.
const (
	warmRuns = 12_000
	warmTime = 100 * time.Millisecond
)

// A subject is measured in turn with others.
type subject struct {
	run   func(n int) // n operations
	close func()
	block int // operations that take about blockTime, see warm
}

// warm runs the subject until it is as fast as it gets, and sizes its block.
func (s *subject) warm() {
	least, improved := math.Inf(1), time.Now()
	for n, done := 1, 0; done < warmRuns && time.Since(improved) < warmTime; done += n {
		begin := time.Now()
		s.run(n)
		took := time.Since(begin)
		each := float64(took) / float64(n)
		if each < 0.95*least {
			improved = time.Now()
		}
		least = min(least, each)
		if took < blockTime {
			n *= 2
		}
	}
	s.block = max(1, int(float64(blockTime)/least))
}

// measure runs one block and returns its time per operation, in ns. A part of a
// block goes before, so that the caches hold this subject and not the last one.
func (s *subject) measure() float64 {
	s.run(max(1, s.block/4))
	begin := time.Now()
	s.run(s.block)
	return float64(time.Since(begin)) / float64(s.block)
}

// allocations is how many heap objects an operation makes, and their bytes,
// rounded down as testing.AllocsPerRun does; that has Go on one processor
// meanwhile, and a thread per execution then waits for one.
func (s *subject) allocations() (objects, bytes float64) {
	const n = 200
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.run(n)
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / n), float64((after.TotalAlloc - before.TotalAlloc) / n)
}

// A round has one block of each subject, in random order. It returns their
// times per operation, in ns, in the order of the subjects.
func round(subjects []*subject) []float64 {
	times := make([]float64, len(subjects))
	for _, i := range rand.Perm(len(subjects)) {
		times[i] = subjects[i].measure()
	}
	return times
}

// medians measures subjects in rounds and returns the median of each.
func medians(rounds int, subjects []*subject) []float64 {
	times := make([][]float64, len(subjects))
	for range rounds {
		for i, ns := range round(subjects) {
			times[i] = append(times[i], ns)
		}
	}
	result := make([]float64, len(subjects))
	for i := range times {
		result[i] = median(times[i])
	}
	return result
}

func median(x []float64) float64 { return stats.Describe(x).Median }

// lockThread keeps a measuring goroutine on one thread, as a pool's workers are.
func lockThread(t testing.TB) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
}

// A round's times are those of its subjects, whatever the order.
func TestRoundKeepsOrder(t *testing.T) {
	slow := &subject{run: func(int) { time.Sleep(5 * time.Millisecond) }, block: 1}
	quick := &subject{run: func(int) {}, block: 1000}
	for range 10 {
		if ns := round([]*subject{slow, quick}); ns[0] < 5e6 || ns[1] > 5e6 {
			t.Errorf("slow %v ns, quick %v ns", ns[0], ns[1])
		}
	}
}
