package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/syntax"
)

// rate runs works side by side for a while, each on a thread of its own, and
// returns how many executions they did per second, all together. A work runs
// until its function says that the time is up, and returns its number.
func rate(works []func(up func() bool) int) float64 {
	const length = 300 * time.Millisecond
	counts := make([]int, len(works))
	start := make(chan struct{})
	var ready, all sync.WaitGroup
	for i, work := range works {
		ready.Add(1)
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready.Done()
			<-start
			begin := time.Now()
			counts[i] = work(func() bool { return time.Since(begin) >= length })
		})
	}
	ready.Wait()
	begin := time.Now()
	close(start)
	all.Wait()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / time.Since(begin).Seconds()
}

// speedup is how many times the executions per second of the first work all of
// them do side by side: the median of 5 ratios, each of two neighbours.
func speedup(works []func(up func() bool) int) float64 {
	rate(works) // warm
	var ratios []float64
	for range 5 {
		one := rate(works[:1])
		ratios = append(ratios, rate(works)/one)
	}
	return median(ratios)
}

// twoRuntimes is the speedup of two runtimes in one process.
func twoRuntimes(t *testing.T) float64 {
	var works []func(func() bool) int
	for range 2 {
		own := noop.open(t, watchdog{ddsa.Name, ddsa.New})
		t.Cleanup(own.close)
		works = append(works, func(up func() bool) int {
			const batch = 1000
			n := 0
			for ; !up(); n += batch {
				own.run(batch)
			}
			return n
		})
	}
	return speedup(works)
}

// twoWorkers is the speedup of two worker processes. A worker gets whole files,
// so it is given small ones with the same rule many times: what is left besides
// executions is parsing one line, and sending the results.
func twoWorkers(t *testing.T) float64 {
	rule := newRule("noop", untouched)
	rule.Query = "(program) @p"
	rules := slices.Repeat([]*executor.Rule{rule}, 200)
	var works []func(func() bool) int
	for range 2 {
		e, err := ddsabench.NewArmIsolated(ddsa.Name, executor.DefaultLimits(), rules[:1], syntax.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
		works = append(works, func(up func() bool) int { return runFiles(t, e, rules, up) })
	}
	return speedup(works)
}

// runFiles has a worker run rules over one small file after another until the
// time is up, and returns the number of executions.
func runFiles(t *testing.T, e executor.FileExecutor, rules []*executor.Rule, up func() bool) (n int) {
	file := &executor.File{Path: "a.js", Language: executor.JavaScript, Text: "x"}
	var free []*executor.FileTask
	next := func(bool) *executor.FileTask {
		if up() {
			return nil
		}
		if last := len(free) - 1; last >= 0 {
			task := free[last]
			free = free[:last]
			return task
		}
		task := &executor.FileTask{File: file, Result: &executor.FileResult{Results: make([]executor.PairResult, len(rules))}}
		for i, rule := range rules {
			task.Result.Results[i].Rule = rule
		}
		return task
	}
	done := func(task *executor.FileTask) {
		for i, pair := range task.Result.Results {
			if pair.Err != nil || !pair.Result.Entered {
				t.Errorf("%s: entered %v, error %v", pair.Rule.Name, pair.Result.Entered, pair.Err)
			}
			task.Result.Results[i] = executor.PairResult{Rule: pair.Rule}
			n++
		}
		free = append(free, task)
	}
	if err := e.ExecuteFiles(context.WithoutCancel(t.Context()), next, done); err != nil {
		t.Error(err)
	}
	return n
}

// textsMade is how often the text of one file of 20 kB is copied into V8 when 15
// rules read it.
func textsMade(t *testing.T) uint64 {
	e, err := ddsa.New(executor.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	file := *textFile(20, "-")
	file.ID = 1 // one and the same file
	for i := range 15 {
		if _, err := e.Execute(t.Context(), newRule(fmt.Sprintf("text%d", i), readsText), &file); err != nil {
			t.Fatal(err)
		}
	}
	return e.(interface{ TextsMade() uint64 }).TextsMade()
}

func TestTextIsCopiedOnce(t *testing.T) {
	if n := textsMade(t); n != 1 {
		t.Errorf("copied %d times, want once", n)
	}
}
