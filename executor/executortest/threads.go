package executortest

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/osthread"
)

// deep needs much of the stack, and then all of it.
var deep = rule(`
	const down = (n) => (n === 0 ? 0 : 1 + down(n - 1));
	function visit(match, filename) {
		console.log(down(5000));
		try { down(Infinity) } catch (e) { console.log(e.name) }
		try { /(?:a|b)*/.test("ab".repeat(1e6)); JSON.parse("[".repeat(1e5)) } catch (e) { console.log(e.name) }
		down(Infinity);
	}`)

// threads: the same results on every thread, one at a time: those of goroutines
// that come and go, and those made in C with stacks of any size.
func threads(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	file := one("good.js")
	use := func() {
		_, err := s.execute(deep, file)
		s.want(err, executor.Script, "Uncaught RangeError: Maximum call stack size exceeded")
		s.wantRight(endlessRule)
	}
	for range 20 {
		var one sync.WaitGroup
		one.Go(func() {
			runtime.LockOSThread() // and the thread ends with the goroutine
			use()
		})
		one.Wait()
		use()
	}
	for _, size := range []uint64{0, 512 << 10, 64 << 20, 2 << 20} {
		for range 3 {
			thread, err := osthread.Starter{StackSize: size}.Start(use)
			if err != nil {
				t.Fatal(err)
			}
			thread.Join()
		}
	}
	// A stack that is too small for scripts is an error of theirs, not a crash.
	thread, err := osthread.Starter{StackSize: 160 << 10}.Start(func() {
		_, err := s.execute(deep, file)
		s.want(err, executor.Script, "Uncaught RangeError: Maximum call stack size exceeded")
	})
	if err != nil {
		t.Fatal(err)
	}
	thread.Join()
	use()

	// Unlocked goroutines, which Go moves between threads.
	var turn sync.Mutex
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 20 {
				turn.Lock()
				s.wantShown(endlessRule, file, "good")
				turn.Unlock()
				runtime.Gosched()
			}
		})
	}
	all.Wait()
}

// fastRuns: an execution does not wait for a far deadline, nor for none.
func fastRuns(t *testing.T, newExecutor New) {
	for _, timeout := range []time.Duration{time.Hour, 0} {
		s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = timeout })
		begin := time.Now()
		for range 1000 {
			s.wantShown(endlessRule, one("good.js"), "good")
		}
		took := time.Since(begin)
		if took > overdue {
			t.Errorf("1,000 executions under a limit of %v took %v", timeout, took)
		}
		t.Logf("limit %v: %v per execution", timeout, took/1000)
	}
}
