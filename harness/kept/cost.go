package kept

import (
	"math"
	"strings"
)

// manyFiles is the size of a job that outgrows one machine.
const manyFiles = 10_000_000

// cost extrapolates from the whole run to many files of the same kind: time
// grows with the pairs, memory does not grow.
func (r *Run) cost(b *strings.Builder) {
	m := r.Records[Main]
	t := begin(b, "What 10 million files need", append([]string{"figure"}, m.Header.Arms...)...)
	row := func(name string, of func(arm string) string) {
		cells := []string{name}
		for _, arm := range m.Header.Arms {
			cells = append(cells, of(arm))
		}
		t.row(cells...)
	}
	cpuHours := func(arm string) float64 {
		return ratio(median(m, arm, cpu), median(m, arm, files)) * manyFiles / 3600
	}
	wallHours := func(arm string) float64 {
		return ratio(median(m, arm, wall), median(m, arm, files)) * manyFiles / 3600
	}
	row("pairs per file", func(arm string) string { return digits(ratio(median(m, arm, pairs), median(m, arm, files))) })
	row("CPU per pair", func(arm string) string { return micros(perPair(m, arm, median(m, arm, cpu))) })
	row("CPU, 10 million files", func(arm string) string { return digits(cpuHours(arm)) + " h" })
	row("wall clock on this machine", func(arm string) string { return digits(wallHours(arm)) + " h" })
	row("shards like this machine for a quarter of an hour", func(arm string) string {
		return count(math.Ceil(wallHours(arm) / 0.25))
	})
	row("peak RSS of a shard", func(arm string) string { return mebibytes(median(m, arm, peakRSS)) })
}
