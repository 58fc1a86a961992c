package bench

import (
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/internal/v8"
)

// A step is a part of an execution, measured alone on V8's binding. What it adds
// is its time less that of the step before, or less that of base.
type step struct {
	name string
	base string // "" for a step that stands alone
	// per is how often the step happens in one operation; 0 is once.
	per  int
	open func(testing.TB) *subject
}

// The runners take the place of the one that all rules share.
const (
	runsNothing = `return () => {}`
	runsRule    = `return (f) => { if (f !== undefined) f(); }`
	returnsText = `return (f) => f === undefined ? undefined : "a text of 24 characters"`
	navigates   = `return (f) => { if (f !== undefined) for (let i = 0; i < 100; i++) navigate(0, 0, 0, 0); }`
	readsMemory = `
		return (f) => {
			if (f === undefined) return;
			let sum = 0;
			for (let i = 0; i < 100; i++) sum += memory[i];
			memory[0] = sum;
		}`
)

// steps are in the order in which an execution goes deeper.
var steps = []step{
	{"read the clock", "", 0, func(testing.TB) *subject {
		begin := time.Now()
		return &subject{close: func() {}, run: func(n int) {
			for range n {
				_ = time.Since(begin)
			}
		}}
	}},
	{"cgo call that returns a short text", "", 0, func(testing.TB) *subject {
		return &subject{close: func() {}, run: func(n int) {
			for range n {
				_ = v8.Version()
			}
		}}
	}},
	{"call into V8, isolate entered before", "", 0, caller(runsNothing, true)},
	{"enter the isolate for each call", "call into V8, isolate entered before", 0, caller(runsNothing, false)},
	{"one function calls another", "call into V8, isolate entered before", 0, caller(runsRule, true)},
	{"hand a short text back to Go", "call into V8, isolate entered before", 0, caller(returnsText, true)},
	{"read a word of the flat memory", "call into V8, isolate entered before", 100, caller(readsMemory, true)},
	{"call from a script into C++", "call into V8, isolate entered before", 100, caller(navigates, true)},
	{"wrapper, clock readings and checks of an execution", "one function calls another", 0, func(t testing.TB) *subject {
		return noop.open(t, none)
	}},
}

// caller is a step that calls an empty function through runner. With stay, the
// isolate is entered once for a whole block.
func caller(runner string, stay bool) func(testing.TB) *subject {
	return func(t testing.TB) *subject {
		t.Helper()
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		setup := v8.NewSetup(runner)
		iso, err := v8.NewIsolate(v8.Options{Heap: 64 << 20, Buffers: 8 << 20, Memory: 1 << 12, Setup: setup})
		must(err)
		context, err := iso.NewContext("{}")
		must(err)
		function, err := context.Compile(v8.Source{Name: "step"})
		must(err)
		file := &v8.File{}
		run := func(n int) {
			if stay {
				leave, err := iso.Stay()
				must(err)
				defer leave()
			}
			for range n {
				_, err := function.Call(file)
				must(err)
			}
		}
		return &subject{run: run, close: func() {
			must(function.Dispose())
			must(context.Dispose())
			must(iso.Dispose())
			setup.Dispose()
		}}
	}
}

// cost is what the step of that number adds, in ns, if each operation of every
// step takes what times says.
func (s step) cost(i int, times []float64) float64 {
	ns := times[i]
	for j, other := range steps {
		if other.name == s.base {
			ns -= times[j]
		}
	}
	return ns / float64(max(1, s.per))
}

// BenchmarkStep has each step alone; TestFigures subtracts them.
func BenchmarkStep(b *testing.B) {
	for _, s := range steps {
		b.Run("step="+s.name, func(b *testing.B) {
			lockThread(b)
			one := s.open(b)
			defer one.close()
			one.warm()
			var times []float64
			for b.Loop() {
				times = append(times, one.measure())
			}
			b.ReportMetric(median(times), "ns/op")
		})
	}
}
