package watchtest

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// Hammer runs executions back to back for duration on the real clock:
// their ends sweep across their deadlines while other goroutines stop
// them and cancel contexts, busy ones and idle ones. It fails if any stop
// reaches an execution that was not claimed for it.
func Hammer(t *testing.T, newDog NewWatchdog, start watch.Starter, duration time.Duration) {
	r := NewRuntime(t, newDog, start)
	defer r.Close()
	ctx, end := context.WithTimeout(t.Context(), duration)
	defer end()

	var others sync.WaitGroup
	defer others.Wait()
	stops := 0
	others.Go(func() {
		for pause(ctx) {
			if r.Guard.Stop(watch.Memory) {
				stops++
			}
		}
	})
	cancels := make(chan context.CancelFunc, 4)
	others.Go(func() {
		for cancel := range cancels {
			pause(ctx)
			cancel()
		}
	})

	verdicts := make(map[watch.Cause]int)
	for i := 0; ctx.Err() == nil; i++ {
		// Half of the executions share one context, which is never cancelled;
		// the others' is cancelled at any time, most often too late.
		run := t.Context()
		if i%2 == 1 {
			c, cancel := context.WithCancel(run)
			cancels <- cancel
			run = c
		}
		timeout := time.Duration(i%3) * 50 * time.Microsecond // 0: no limit
		length := 50*time.Microsecond + time.Duration(i%41-20)*time.Microsecond
		verdict := r.ExecuteFunc(run, timeout, func() { r.spin(length) })
		verdicts[verdict]++
		if verdict == watch.Context && run.Err() == nil {
			t.Error("stopped by a context that has not ended")
		}
		if verdict == watch.Timeout && timeout == 0 {
			t.Error("timeout of an execution without one")
		}
	}
	close(cancels)
	others.Wait()
	if stops != verdicts[watch.Memory] {
		t.Errorf("%d executions were stopped for memory, %d verdicts say so", stops, verdicts[watch.Memory])
	}
	if t.Failed() || testing.Verbose() {
		t.Logf("verdicts: %d none, %d timeout, %d context, %d memory", verdicts[watch.None],
			verdicts[watch.Timeout], verdicts[watch.Context], verdicts[watch.Memory])
	}
}

// spin is a script that keeps the processor busy for d.
func (r *Runtime) spin(d time.Duration) {
	for end := r.Guard.Now() + int64(d); r.Guard.Now() < end && !r.Isolate.Pending(); {
		runtime.Gosched()
	}
}

// pause waits for up to 0.5 ms, and reports whether ctx is still on.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(rand.N(500 * time.Microsecond))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
