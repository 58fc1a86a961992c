package hostile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
)

// many is n, or with LONG set in the environment as many as it takes to see a
// small leak.
func many(n, long int) int {
	if os.Getenv("LONG") != "" {
		return long
	}
	return n
}

// resident is this process's memory in RAM, in bytes.
func resident(t *testing.T) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return float64(pages * os.Getpagesize())
}

// flat checks that memory is no more than 5 % above what it was before, and in
// the short form, where the heap has not yet found its size, 20 MiB.
func flat(t *testing.T, before float64) {
	t.Helper()
	after := resident(t)
	t.Logf("%.1f MiB before, %.1f MiB after: %+.1f %%", before/(1<<20), after/(1<<20), 100*(after/before-1))
	if after > before*1.05 && (os.Getenv("LONG") != "" || after > before+20<<20) {
		t.Errorf("memory has grown by %.1f %%", 100*(after/before-1))
	}
}

// staysFlat runs n executions, and checks memory from the first tenth on.
func staysFlat(t *testing.T, n int, run func(n int)) {
	t.Helper()
	run(n / 10)
	before := resident(t)
	run(n - n/10)
	flat(t, before)
}

// watchdogs counts the threads of that name.
func watchdogs(t *testing.T) (n int) {
	t.Helper()
	names, err := filepath.Glob("/proc/self/task/*/comm")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, _ := os.ReadFile(name); strings.HasPrefix(string(text), "ddsa-watchdog") {
			n++
		}
	}
	return n
}

var (
	greets  = &executor.Rule{Name: "long/greets", Code: `function visit(match) { console.log("good", match.get("a").text); addError(Violation.new("found", match.get("a"))); }`}
	endless = &executor.Rule{Name: "long/endless", Code: `function visit() { for (;;); }`}
)

func greeted(res executor.Result) bool {
	return res.Output == "good ä" && len(res.Violations) == 1 && res.Violations[0].Message == "found"
}

// A million executions in one runtime leave nothing behind.
func TestManyExecutions(t *testing.T) {
	for _, name := range executors {
		t.Run(name, func(t *testing.T) {
			e := newExecutor(t, name, executor.DefaultLimits())
			run := func(n int) {
				for range n {
					file := executortest.NewFile("a.js", "let ä = 1", executortest.Match{"a=ä"})
					if res, err := e.Execute(t.Context(), greets, file); err != nil || !greeted(res) {
						t.Fatalf("%+v, %v", res, err)
					}
				}
			}
			staysFlat(t, many(10_000, 1_000_000), run)
			s := e.Stats()
			if name == ddsa.Name && (s.WatchdogsStarted != 1 || watchdogs(t) != 1) {
				t.Errorf("%d watchdogs started, %d threads of that name", s.WatchdogsStarted, watchdogs(t))
			}
			if running := s.WatchdogsStarted - s.WatchdogsEnded; running > 1 {
				t.Errorf("%d watchdogs are there", running)
			}
		})
	}
}

// Thousands of timeouts in a row: none is early, none hits the next execution,
// nothing is left behind.
func TestManyTimeouts(t *testing.T) {
	for _, name := range executors {
		t.Run(name, func(t *testing.T) {
			limits := executor.DefaultLimits()
			limits.Timeout = 2 * time.Millisecond
			e := newExecutor(t, name, limits)
			late := 0
			timeout := func(err error) bool {
				var failure *executor.Error
				if !errors.As(err, &failure) || failure.Outcome != executor.Timeout {
					return false
				}
				if failure.Elapsed < failure.Limit {
					t.Errorf("killed after %v under a limit of %v", failure.Elapsed, failure.Limit)
				}
				return true
			}
			run := func(n int) {
				for range n {
					file := executortest.NewFile("a.js", "let ä = 1", executortest.Match{"a=ä"})
					if _, err := e.Execute(t.Context(), endless, file); !timeout(err) {
						t.Fatalf("%v, want a timeout", err)
					}
					res, err := e.Execute(t.Context(), greets, file)
					if timeout(err) { // on a busy machine it may really be late
						late++
					} else if err != nil || !greeted(res) {
						t.Fatalf("%+v, %v", res, err)
					}
				}
			}
			n := many(100, 10_000)
			staysFlat(t, n, run)
			t.Logf("%d timeouts; of the executions between them %d took longer than %v", n, late, limits.Timeout)
		})
	}
}

// Memory errors in a row: after each, what fitted before fits again.
func TestManyMemoryErrors(t *testing.T) {
	s, err := hostile.Named("grow-array")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range executors {
		t.Run(name, func(t *testing.T) {
			e := newExecutor(t, name, hostile.Limits(time.Minute))
			before := 0.0
			n := many(3, 100)
			for i := range n {
				r, err := hostile.Run(t.Context(), e, s)
				if err != nil || r.Ending != executor.Memory.String() || r.Next != "" {
					t.Fatalf("%+v, %v", r, err)
				}
				if i == n/2 { // the heap's spaces find their sizes slowly
					before = resident(t)
				}
			}
			// V8 and malloc keep freed memory in steps of megabytes. But each error has
			// filled 64 MiB: if 1 % of that were left, it would show in half of 100.
			after := resident(t)
			t.Logf("%.1f MiB before, %.1f MiB after", before/(1<<20), after/(1<<20))
			if after > before+32<<20 {
				t.Error("memory has grown")
			}
		})
	}
}
