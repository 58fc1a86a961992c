package kept

import (
	"fmt"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

const megabyte = 1e6

// growth says how time and memory grow with the corpus. What starting costs,
// which is the run over hardly any file, is taken off the times.
func (r *Run) growth(b *strings.Builder) {
	m, start := r.Records[Main], r.Records[StartUp]
	if start == nil || start.Header.Corpus.Bytes == 0 {
		return
	}
	t := begin(b, "How cost grows", "part", "arm", "files", "MB", "wall clock", "CPU", "wall per MB", "CPU per MB", "peak RSS")
	for _, part := range []struct{ record, name string }{
		{StartUp, "1/1000 (start-up)"}, {Hundredth, "1/100"}, {Tenth, "1/10"}, {Main, "1/1"},
	} {
		p := r.Records[part.record]
		if p == nil {
			continue
		}
		for _, arm := range m.Header.Arms {
			perMB := func(of func(*harness.Figures) float64) string {
				size := float64(p.Header.Corpus.Bytes-start.Header.Corpus.Bytes) / megabyte
				if size <= 0 {
					return "-"
				}
				return fmt.Sprintf("%.1f ms", 1e3*(median(p, arm, of)-median(start, arm, of))/size)
			}
			t.row(part.name, arm, count(median(p, arm, files)), fmt.Sprintf("%.1f", float64(p.Header.Corpus.Bytes)/megabyte),
				seconds(median(p, arm, wall)), seconds(median(p, arm, cpu)), perMB(wall), perMB(cpu),
				mebibytes(median(p, arm, peakRSS)))
		}
	}
}

// parts says where the time goes. Workers' times are wall clock; where they have
// the cores to themselves that is processor time, too. Where not, it is more than
// that, and what is left of the CPU's for all else is more than it seems.
func (r *Run) parts(b *strings.Builder) {
	m := r.Records[Main]
	t := begin(b, "Where the time goes", append([]string{"part"}, m.Header.Arms...)...)
	whole := cpu
	row := func(name string, of func(*harness.Figures) float64) {
		cells := []string{name}
		for _, arm := range m.Header.Arms {
			x := median(m, arm, of)
			cells = append(cells, fmt.Sprintf("%s (%s)", seconds(x), share(x, median(m, arm, whole))))
		}
		t.row(cells...)
	}
	row("CPU, all threads", cpu)
	row("parsing", duration(func(f *harness.Figures) time.Duration { return f.Parse }))
	row("matching, all rules in one pass", duration(func(f *harness.Figures) time.Duration { return f.Match }))
	row("rules' own queries", duration(func(f *harness.Figures) time.Duration { return f.Query }))
	row("JavaScript (inside V8)", duration(func(f *harness.Figures) time.Duration { return f.InV8 }))
	row("all else: CPU less the four above, or more", func(f *harness.Figures) float64 {
		return cpu(f) - (f.Parse + f.Match + f.Query + f.InV8).Seconds()
	})
	whole = func(f *harness.Figures) float64 { return wall(f) * float64(m.Header.Workers) }
	row("workers' time, by the clock", whole)
	row("watching", duration(func(f *harness.Figures) time.Duration { return f.InExecutions - f.InV8 - f.Query }))
	row("reading and checking files", duration(func(f *harness.Figures) time.Duration { return f.Load - f.Parse - f.Match }))
}

// separate says what one query per rule would cost.
func (r *Run) separate(b *strings.Builder) {
	p := r.Records[SeparateQuery]
	if p == nil {
		return
	}
	arms := p.Header.Arms
	t := begin(b, "One query per rule, on "+p.Header.Corpus.Name, append([]string{"figure"}, arms...)...)
	for _, line := range []struct {
		name string
		of   func(*harness.Figures) float64
	}{
		{"matching", duration(func(f *harness.Figures) time.Duration { return f.Match + f.Query })},
		{"CPU", cpu},
		{"wall clock", wall},
	} {
		cells := []string{line.name}
		for i, arm := range arms {
			cell := seconds(median(p, arm, line.of))
			if i > 0 {
				cell += " (" + change(median(p, arms[0], line.of), median(p, arm, line.of)) + ")"
			}
			cells = append(cells, cell)
		}
		t.row(cells...)
	}
}
