package executortest

import (
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// BenchmarkNoop is an execution of a rule that does nothing: V8's share and the
// watching. min-ns/op is the mean of the best 100 in a row, so that a busy
// machine does not matter.
func BenchmarkNoop(b *testing.B, newExecutor New) {
	e, err := newExecutor(executor.DefaultLimits())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	e, leave := executor.Stay(e)
	defer leave() // before Close
	ctx, noop, file := b.Context(), rule(""), one("a.js")
	const batch = 100
	least := time.Duration(1<<63 - 1)
	b.ReportAllocs()
	for b.Loop() {
		begin := time.Now()
		for range batch {
			if _, err := e.Execute(ctx, noop, file); err != nil {
				b.Fatal(err)
			}
		}
		least = min(least, time.Since(begin))
	}
	b.ReportMetric(float64(least)/batch, "min-ns/execution")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*batch), "ns/execution")
	b.ReportMetric(0, "ns/op")
}
