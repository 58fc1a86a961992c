package kept

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// Figures are the run's tables in Markdown.
func (r *Run) Figures() string {
	var b strings.Builder
	r.original(&b)
	r.growth(&b)
	r.parts(&b)
	r.separate(&b)
	r.cost(&b)
	return b.String()
}

// A table is a Markdown table under construction.
type table struct{ b *strings.Builder }

func begin(b *strings.Builder, title string, columns ...string) table {
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "### %s\n\n", title)
	t := table{b}
	t.row(columns...)
	b.WriteString("|---" + strings.Repeat("|---:", len(columns)-1) + "|\n")
	return t
}

func (t table) row(cells ...string) {
	fmt.Fprintf(t.b, "| %s |\n", strings.Join(cells, " | "))
}

// timed are an arm's samples in the counted rounds.
func timed(r *harness.Record, arm string) []*harness.Figures {
	var list []*harness.Figures
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Arm == arm && !s.Warmup && !s.Traced && s.Figures != nil {
			list = append(list, s.Figures)
		}
	}
	return list
}

// median is the median of one figure over an arm's samples, 0 if there are none.
func median(r *harness.Record, arm string, of func(*harness.Figures) float64) float64 {
	var values []float64
	for _, f := range timed(r, arm) {
		values = append(values, of(f))
	}
	return stats.Describe(values).Median
}

func wall(f *harness.Figures) float64 { return f.Wall.Seconds() }

func cpu(f *harness.Figures) float64 { return (f.Job.User + f.Job.System).Seconds() }

func peakRSS(f *harness.Figures) float64 { return float64(f.Memory.PeakRSS) }

func total(of func(harness.Counts) uint64) func(*harness.Figures) float64 {
	return func(f *harness.Figures) float64 {
		var n uint64
		for _, c := range f.Languages {
			n += of(c)
		}
		return float64(n)
	}
}

var (
	files      = total(func(c harness.Counts) uint64 { return c.Files })
	pairs      = total(func(c harness.Counts) uint64 { return c.Pairs })
	executions = total(func(c harness.Counts) uint64 { return c.Executions })
)

// pairsOf is the number of pairs of one language.
func pairsOf(l executor.Language) func(*harness.Figures) float64 {
	return func(f *harness.Figures) float64 { return float64(f.Languages[l].Pairs) }
}

func seconds(x float64) string { return digits(x) + " s" }

func micros(x float64) string { return digits(x*1e6) + " µs" }

// digits writes a number with three digits that count, or all before the point.
func digits(x float64) string {
	decimals := 2
	if x != 0 {
		decimals = min(max(2-int(math.Floor(math.Log10(math.Abs(x)))), 0), 4)
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

func mebibytes(x float64) string { return fmt.Sprintf("%.1f MiB", x/(1<<20)) }

func bytesOf(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20))
}

// count writes a number with commas.
func count(x float64) string {
	text := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func share(part, whole float64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}

func change(from, to float64) string {
	if from == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(to/from-1))
}

// duration is a time as a figure, in seconds.
func duration(of func(*harness.Figures) time.Duration) func(*harness.Figures) float64 {
	return func(f *harness.Figures) float64 { return of(f).Seconds() }
}
