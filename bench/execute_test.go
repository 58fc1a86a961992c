package bench

import "testing"

// BenchmarkExecute is one execution, by rule and watchdog. Blocks of it take
// turns with blocks of the same rule under the watchdog none, in the same
// process; so each line has its own reference: none-ns/op, and watching-ns/op,
// the median of the differences between neighbours. The line of none itself is
// the control, and its watching-ns/op is noise. With -short the watchdogs that
// wake threads have the no-op rule only, since they cost the same on any.
func BenchmarkExecute(b *testing.B) {
	for _, w := range workloads() {
		for i, dog := range watchdogs {
			if testing.Short() && i >= len(quick) && w.name != noop.name {
				continue
			}
			b.Run("rule="+w.name+"/watchdog="+dog.name, func(b *testing.B) {
				own, reference := w.open(b, dog), w.open(b, none)
				defer own.close()
				defer reference.close()
				against(b, own, reference)
			})
		}
	}
}

// against measures own beside reference.
func against(b *testing.B, own, reference *subject) {
	lockThread(b)
	own.warm()
	reference.warm()
	var times, references, differences []float64
	for b.Loop() {
		for range 10 { // so that one that was interrupted is never alone
			ns := round([]*subject{own, reference})
			times = append(times, ns[0])
			references = append(references, ns[1])
			differences = append(differences, ns[0]-ns[1])
		}
	}
	b.ReportMetric(median(times), "ns/op")
	b.ReportMetric(median(references), "none-ns/op")
	b.ReportMetric(median(differences), "watching-ns/op")
	objects, bytes := own.allocations()
	b.ReportAllocs()
	b.ReportMetric(objects, "allocs/op")
	b.ReportMetric(bytes, "B/op")
}
