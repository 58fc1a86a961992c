package report_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

// counts are those of a child that made so many threads one after another.
func counts(threads uint64, cache bool) *harness.Counted {
	mapped := threads
	if cache {
		mapped = min(threads, 4)
	}
	return &harness.Counted{
		Source: harness.BPF, StackCache: cache, PeakThreads: 12, PeakFrom: "pids cgroup",
		Counts: map[harness.Counter]uint64{
			harness.ThreadsCreated: threads, harness.Mmap: 36 + mapped, harness.Munmap: 38 + mapped,
			harness.Mremap: 0, harness.Futex: 150 + 4*threads, harness.ContextSwitches: 700 + 2*threads,
		},
		Allocations: &harness.Allocations{Persistent: 19, Transient: 17 + mapped, Bytes: 50<<20 + mapped*8<<20},
	}
}

// traced adds a counted pass to a record.
func traced(r *harness.Record, cache bool) *harness.Record {
	for i, arm := range r.Header.Arms {
		s := sample(r.Header.Warmup+r.Header.Rounds, i, arm)
		s.Traced = true
		s.Counted, s.Empty = counts(5+s.Figures.WatchdogsStarted, cache), counts(5, cache)
		r.Samples = append(r.Samples, s)
	}
	return r
}

// The counted pass has a section of its own in text, which fits 80 columns, and
// says what the stack cache does.
func TestCountedPass(t *testing.T) {
	off := traced(record(6, "legacy", "ddsa"), false)

	on := traced(record(6, "legacy", "ddsa"), true)
	on.Samples[14].Counted.LostEvents = 7
	on.Samples[14].Counted.Notes = []string{"A note with \x1b[31mred."}
	on.Samples[15].Empty = nil

	perf := traced(record(6, "legacy", "ddsa"), true)
	c := perf.Samples[14].Counted
	c.Source, c.Declined, c.Allocations, c.PeakThreads = harness.PerfEvent, []string{"bpf: operation not permitted; run as root"}, nil, 0
	s := &perf.Samples[15]
	s.Figures, s.Counted, s.Empty = nil, nil, nil
	s.Void = &harness.Void{Cause: harness.Uncounted, Detail: "no such process", Exit: -1}

	none := record(6, "legacy", "ddsa")
	none.Header.Uncounted = "bpf: operation not permitted; run as root\nperf_event: too"

	for name, rec := range map[string]*harness.Record{"counted-off": off, "counted-on": on, "counted-perf": perf, "counted-none": none} {
		var table, page bytes.Buffer
		if err := report.Table(&table, compare.Summarize(rec)); err != nil {
			t.Fatal(err)
		}
		narrow(t, table.String())
		golden(t, name+".table", section(t, table.String()))
		if err := report.Markdown(&page, compare.Summarize(rec)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(table.String()+page.String(), "\x1b") {
			t.Errorf("%s: an escape sequence came through", name)
		}
		if name == "counted-off" {
			golden(t, name+".md", section(t, page.String()))
		}
	}
}

// section is the part of a report about the counted pass: what the rest says is
// the same without one.
func section(t *testing.T, text string) []byte {
	t.Helper()
	without := record(6, "legacy", "ddsa")
	var plain bytes.Buffer
	form := report.Table
	if strings.Contains(text, "| figure") {
		form = report.Markdown
	}
	if err := form(&plain, compare.Summarize(without)); err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(plain.String()) {
		lines[line] = true
	}
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if !lines[line] || line == "\n" && rest.Len() > 0 {
			rest.WriteString(line)
		}
	}
	return []byte(strings.TrimRight(rest.String(), "\n") + "\n")
}

// Whatever a record counts can be printed.
func TestCountedPassOdd(t *testing.T) {
	rec := traced(record(1, "legacy", "ddsa"), true)
	odd := maps.Clone(rec.Samples[4].Counted.Counts)
	odd["unheard_of"] = 3
	rec.Samples[4].Counted.Counts = odd
	rec.Samples[5].Counted = &harness.Counted{Source: harness.Proc}
	rec.Samples[5].Empty = nil
	for _, name := range report.Names {
		form, err := report.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := form(&b, compare.Summarize(rec)); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
