package jsrt

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/internal/watch"
)

// After each of many memory errors the heap's limit is as before, and what
// filled it is gone.
func TestHeapLimitIsRestored(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Heap = 16 << 20
	r := newWatched(t, limits, newArmed)
	execute(t, r, rule(""), one())
	before := r.isolate.HeapStatistics()
	greedy := rule("const a = []; for (;;) a.push({ x: 1 })")
	n := 10
	if os.Getenv("LONG") != "" {
		n = 100
	}
	for i := range n {
		if _, err := r.Execute(t.Context(), greedy, one()); !errors.Is(err, executor.ErrMemory) {
			t.Fatalf("error %v", err)
		}
		after := r.isolate.HeapStatistics()
		if after.Limit != before.Limit || after.Used > before.Used+4<<20 {
			t.Fatalf("after %d memory errors %+v, before them %+v", i+1, after, before)
		}
	}
}

// A rule that hoards where nobody looks fills the heap once. Then its context
// goes too, whoever was running.
func TestMemoryErrorEmptiesTheHeap(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Heap = 16 << 20
	r := newWatched(t, limits, newArmed)
	hoarder := rule("Array.prototype[Symbol()] = new Array(1e5).fill(1.5)")
	innocent := rule("const a = []; for (let i = 0; i < 1e5; i++) a.push([i])")
	execute(t, r, innocent, one())
	failed := 0
	for range 20 {
		if _, err := r.Execute(t.Context(), hoarder, one()); err == nil {
			continue
		}
		failed++
		if len(r.programs) != 0 {
			t.Errorf("%d contexts are left", len(r.programs))
		}
		execute(t, r, innocent, one())
	}
	if failed == 0 {
		t.Error("nothing was hoarded")
	}
}

// What a script has made goes with its execution, although its context stays:
// none of these could run again and again otherwise.
func TestExecutionsLeaveNothingInTheHeap(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Heap = 32 << 20
	for name, body := range map[string]string{
		"file's text":         "code.length",
		"output":              "console.log('o'.repeat(1 << 20))",
		"message":             "addError(buildError(1, 1, 1, 1, 'm'.repeat(1 << 20)))",
		"last match":          "/x$/.test('x'.repeat(1 << 20))",
		"output, then thrown": "console.log('o'.repeat(1 << 20)); throw 1",
		"symbols":             "Symbol.for(filename + 's'.repeat(1 << 20))",
	} {
		r := newWatched(t, limits, newArmed)
		file := executortest.NewFile("a.js", strings.Repeat("x", 1<<20), executortest.Match{})
		for i := range 40 {
			file.Path = fmt.Sprintf("%d.js", i) // each time another
			file.ID = 0
			if _, err := r.Execute(t.Context(), rule(body), file); err != nil && !errors.Is(err, executor.ErrScript) {
				t.Fatalf("%s: execution %d: %v", name, i, err)
			}
		}
	}
}

// The text crosses once per file, and only if a rule looks at it.
func TestTextCrossesOncePerFile(t *testing.T) {
	r := newRuntime(t, executor.DefaultLimits())
	looks, looksAway := rule("console.log(code.length)"), rule("console.log(filename)")
	for i := range uint64(3) {
		file := one()
		execute(t, r, looksAway, file)
		if n := r.TextsMade(); n != i {
			t.Errorf("file %d: %d texts, although no rule has looked", i, n)
		}
		for range 5 {
			execute(t, r, looks, file)
			execute(t, r, rule("code.length"), file)
		}
		if n := r.TextsMade(); n != i+1 {
			t.Errorf("file %d: %d texts", i, n)
		}
	}
	// Files without an identity cannot be told apart.
	for _, text := range []string{"ab", "abc"} {
		file := executortest.NewFile(text+".js", text, executortest.Match{})
		file.ID = 0
		if res := execute(t, r, rule("console.log(filename, code)"), file); res.Output != text+".js "+text {
			t.Errorf("output %q", res.Output)
		}
	}
}

// What an execution left in the shared memory says nothing of the next one,
// even if that does not get as far as to write there.
func TestFailedCompileIsNobodyElsesRun(t *testing.T) {
	r := newWatched(t, executor.DefaultLimits(), newArmed)
	res := execute(t, r, rule("Array.prototype.map = null"), one())
	if !res.Tampered || res.Visits != 1 {
		t.Errorf("%+v", res)
	}
	res, err := r.Execute(t.Context(), &executor.Rule{Code: "not a script"}, one())
	if !errors.Is(err, executor.ErrScript) || res.Tampered || res.Visits != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// leftTree notes how long a rule's own query may take.
type leftTree struct {
	*executortest.Tree
	left time.Duration
}

func (t *leftTree) Matches(rule *executor.Rule, left time.Duration) (executor.Matches, error) {
	t.left = left
	return t.Tree.Matches(rule, left)
}

// Nothing ends a query before its limit, so there is always one.
func TestQueriesHaveALimit(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: maxQuery, time.Hour: time.Hour} {
		limits := executor.DefaultLimits()
		limits.Timeout = timeout
		file := one()
		tree := &leftTree{Tree: file.Tree.(*executortest.Tree)}
		file.Tree = tree
		execute(t, newWatched(t, limits, newArmed), rule(""), file)
		if tree.left != want {
			t.Errorf("timeout %v: the query has %v, want %v", timeout, tree.left, want)
		}
	}
}

func TestTamperedRulesAreBounded(t *testing.T) {
	r := newWatched(t, executor.DefaultLimits(), newArmed)
	for i := range maxTampered + 10 {
		r.clean(&executor.Rule{Name: fmt.Sprint(i)}, watch.None, true)
	}
	if n := len(r.tampered); n > maxTampered {
		t.Errorf("%d rules are remembered", n)
	}
}

func TestContextsAreBounded(t *testing.T) {
	r := newRuntime(t, executor.DefaultLimits())
	first := rule("console.log('first')")
	for range maxPrograms + 10 {
		execute(t, r, rule(""), one())
		execute(t, r, first, one())
		if n := len(r.programs); n > maxPrograms {
			t.Fatalf("%d contexts", n)
		}
	}
	if r.programs[first] == nil {
		t.Error("the rule that ran last has lost its context")
	}
}

func TestNewRefuses(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Heap = 1
	if e, err := New("test", limits, newArmed); e != nil || err == nil {
		t.Errorf("executor %v, error %v", e, err)
	}
}
