package jsrt

import (
	"math"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
)

// BenchmarkNoop is an execution that nobody watches; those of legacy and ddsa
// are to be compared with it.
func BenchmarkNoop(b *testing.B) {
	executortest.BenchmarkNoop(b, func(limits executor.Limits) (executor.Executor, error) {
		return New("none", limits, unwatchedDog)
	})
}

// BenchmarkContext is what a rule's first execution in a runtime costs.
func BenchmarkContext(b *testing.B) {
	r, rule := newRuntime(b, executor.DefaultLimits()), rule("")
	least := math.Inf(1)
	for b.Loop() {
		least = min(least, timed(func() {
			p, err := r.newProgram(rule, nil)
			if err != nil {
				b.Fatal(err)
			}
			p.dispose()
		}))
	}
	b.ReportMetric(least, "min-ns")
}

// BenchmarkRuntime is what a worker's start costs.
func BenchmarkRuntime(b *testing.B) {
	least := math.Inf(1)
	for b.Loop() {
		least = min(least, timed(func() { _ = newRuntime(b, executor.DefaultLimits()).Close() }))
	}
	b.ReportMetric(least, "min-ns")
}
