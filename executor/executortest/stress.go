package executortest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Stress hunts for wrong kills: a timeout before its time, or any sign in one
// execution that another was stopped. With STRESS set in the environment it
// takes some minutes.
func Stress(t *testing.T, newExecutor New) {
	sweeps, duration := 500, time.Second
	if os.Getenv("STRESS") != "" {
		sweeps, duration = 100_000, time.Minute
	}
	for _, load := range []string{"idle", "busy"} {
		t.Run(load, func(t *testing.T) {
			if load == "busy" {
				defer allCoresBusy(t, newExecutor)()
			}
			t.Run("sweep", func(t *testing.T) { sweep(t, newExecutor, sweeps) })
			t.Run("small share", func(t *testing.T) { smallShares(t, newExecutor, duration) })
		})
	}
}

// spinning is a rule that goes round as often as its file is called, and says
// so.
var spinning = rule(`
	function visit(match, filename) {
		const n = +filename;
		let x = 1;
		for (let i = 0; i < n; i++) x = (x * 31 + i) | 0;
		console.log(n, x !== 0.5);
	}`)

// spin runs the rule n times round, with a part of its time used up already. An
// execution that was not stopped must have gone all the way.
func (s *subject) spin(n int, used time.Duration) (late bool) {
	s.t.Helper()
	file := one(strconv.Itoa(n))
	file.Tree.(*Tree).Found.Took = used
	res, err := s.execute(spinning, file)
	if s.late(err) {
		return true
	}
	if got, want := show(res, err), fmt.Sprint(n, true); got != want {
		s.t.Errorf("got %q, want %q", got, want)
	}
	return false
}

// sweep has executions end around their deadline: each is made a bit longer
// than the last that was in time, or shorter than the last that was late.
// Either verdict is right for it. The three that follow must be right; one of
// them is the rule's own, which has to have a new context made if it was
// stopped, so they are given more time.
func sweep(t *testing.T, newExecutor New, sweeps int) {
	const limit, left = 50 * time.Millisecond, 500 * time.Microsecond
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = limit })
	neighbours := []*executor.Rule{wellOn(""), rule("console.log('good', match.get('a').text)")}
	next := NewFile("good.js", "ok", Match{"a=ok"})
	n, late, lateAfter := 1000.0, 0, 0
	for range sweeps {
		step := 1 + rand.Float64()/20
		if s.spin(int(n), limit-left) {
			late++
			n = max(1, n/(step*step*step))
		} else {
			n *= step
		}
		if s.spin(1, 0) {
			lateAfter++
		}
		for i, want := range []string{"good", "good ok"} {
			res, err := s.execute(neighbours[i], next)
			if s.late(err) {
				lateAfter++
			} else if got := show(res, err); got != want {
				t.Errorf("after %d rounds: got %q, want %q", int(n), got, want)
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d sweeps, %d of them late; %d of the three times as many after them took longer than %v", sweeps, late, lateAfter, limit)
	if late == 0 || late == sweeps {
		t.Error("the ends did not sweep across the deadline")
	}
}

// smallShares runs executions of 1 to 5 % of their time limit back to back.
func smallShares(t *testing.T, newExecutor New, duration time.Duration) {
	const limit = 100 * time.Millisecond
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = limit })
	// How often round in 1 % of the limit, at the best of three times.
	n := 1000
	for least := time.Duration(0); least < limit/100; n *= 2 {
		least = limit
		for range 3 {
			begin := time.Now()
			s.spin(n, 0)
			least = min(least, time.Since(begin))
		}
	}
	runs, late := 0, 0
	for end := time.Now().Add(duration); time.Now().Before(end) && !t.Failed(); runs++ {
		if s.spin(n/2*(1+runs%5), 0) {
			late++
		}
	}
	t.Logf("%d executions, %d of them took longer than %v", runs, late, limit)
}

// allCoresBusy has a script run on each processor until stop is called.
func allCoresBusy(t *testing.T, newExecutor New) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		s := start(t, newExecutor, nil)
		all.Go(func() {
			for ctx.Err() == nil { // its time limit ends it too
				_, _ = s.Execute(ctx, endlessRule, one("bad.js"))
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}
