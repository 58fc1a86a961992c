package hostile_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
)

// BenchmarkOvershoot is how late timeouts of 20 ms come: on an idle machine, on
// ones whose cores are all busy with scripts or with Go, and with one processor
// for Go. With -benchtime 1000x the percentiles mean something.
func BenchmarkOvershoot(b *testing.B) {
	for _, name := range executors {
		for _, load := range []struct {
			name  string
			start func(testing.TB, string) (stop func())
		}{
			{"idle", func(testing.TB, string) func() { return func() {} }},
			{"scripts on all cores", scriptsOnAllCores},
			{"Go on all cores", goOnAllCores},
			{"GOMAXPROCS=1", oneProcessor},
		} {
			b.Run(name+"/"+load.name, func(b *testing.B) {
				defer load.start(b, name)()
				overshoot(b, name)
			})
		}
	}
}

func overshoot(b *testing.B, name string) {
	limits := executor.DefaultLimits()
	limits.Timeout = 20 * time.Millisecond
	e, err := ddsabench.NewArm(name, limits)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	rule := &executor.Rule{Name: "overshoot", Language: executor.JavaScript, Code: `
		function visit(match, filename) { if (filename == "endless.js") for (;;); }`}
	ending, unending := executortest.NewFile("ending.js", "x", executortest.Match{}), executortest.NewFile("endless.js", "x", executortest.Match{})
	var late []time.Duration
	for b.Loop() {
		// A timeout costs the rule its context, and Elapsed has the making of a new
		// one in it, which the time limit has not.
		if _, err := e.Execute(b.Context(), rule, ending); err != nil && !errors.Is(err, executor.ErrTimeout) {
			b.Fatal(err)
		}
		_, err := e.Execute(b.Context(), rule, unending)
		var failure *executor.Error
		if !errors.As(err, &failure) || failure.Outcome != executor.Timeout || failure.Elapsed < limits.Timeout {
			b.Fatalf("%v, want a timeout", err)
		}
		late = append(late, failure.Elapsed-limits.Timeout)
	}
	slices.Sort(late)
	for _, q := range []struct {
		unit string
		part float64
	}{{"p50-ms", 0.5}, {"p99-ms", 0.99}, {"max-ms", 1}} {
		b.ReportMetric(float64(late[int(q.part*float64(len(late)-1))])/1e6, q.unit)
	}
	b.ReportMetric(0, "ns/op")
}

// scriptsOnAllCores keeps a script running on each core, each in a runtime of
// its own.
func scriptsOnAllCores(t testing.TB, name string) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		e := newExecutor(t, name, executor.DefaultLimits())
		all.Go(func() {
			for ctx.Err() == nil { // its time limit ends it too
				_, _ = e.Execute(ctx, endless, executortest.NewFile("b.js", "x", executortest.Match{}))
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// goOnAllCores keeps a goroutine running on each core.
func goOnAllCores(t testing.TB, _ string) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		all.Go(func() {
			for ctx.Err() == nil {
				for range 1 << 16 {
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

func oneProcessor(testing.TB, string) (stop func()) {
	before := runtime.GOMAXPROCS(1)
	return func() { runtime.GOMAXPROCS(before) }
}
