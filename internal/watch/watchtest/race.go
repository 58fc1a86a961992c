package watchtest

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Race lets a and b meet, again and again for duration; b runs on a goroutine of
// its own. After each meeting, when both are over, check says whether a came
// first: then it comes a little later the next time, or else a little earlier,
// so that most meetings are close.
func Race(duration time.Duration, a, b func(), check func() (aFirst bool)) {
	var round, over atomic.Int64
	var other sync.WaitGroup
	other.Go(func() {
		for i := int64(1); await(&round, i) != math.MaxInt64; i++ {
			b()
			over.Store(i)
		}
	})
	end := time.Now().Add(duration)
	delay := 0
	for i := int64(1); i%100 != 0 || time.Now().Before(end); i++ {
		round.Store(i)
		for range delay {
			over.Load()
		}
		a()
		await(&over, i)
		if check() {
			delay = min(delay+1+delay/16, 100_000)
		} else {
			delay = max(delay-1-delay/16, 0)
		}
	}
	round.Store(math.MaxInt64)
	other.Wait()
}

// await spins, since any other way of waiting takes too long, until n is at
// least i, and returns it.
func await(n *atomic.Int64, i int64) int64 {
	for spins := 1; n.Load() < i; spins++ {
		if spins%1000 == 0 {
			runtime.Gosched() // there may be one processor only
		}
	}
	return n.Load()
}
