package report_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

// full is a record with all optional parts: series, distributions, counts.
func full() *harness.Record {
	r := record(10, "legacy", "ddsa")
	for i := range r.Samples {
		s := &r.Samples[i]
		s.Start = time.Duration(i) * time.Second
		for j := range 20 {
			s.Series.At = append(s.Series.At, time.Duration(j)*50*time.Millisecond)
			s.Series.RSS = append(s.Series.RSS, uint64(20+2*j)<<20)
			s.Series.Threads = append(s.Series.Threads, 4+(i+j)%(s.PeakThreads-4))
		}
		cost := s.Figures.InExecutions / 6543
		s.Figures.Latency = &harness.Latency{
			Upto:  []time.Duration{cost / 2, cost, 3 * cost, 40 * cost},
			Count: []uint64{3000, 3000, 500, 43},
		}
	}
	for i, arm := range r.Header.Arms {
		s := sample(11, i, arm)
		s.Traced = true
		s.Empty = &harness.Counted{Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.ThreadsCreated: 7, harness.Mmap: 70}}
		s.Counted = &harness.Counted{
			Source: harness.BPF, PeakThreads: uint64(s.PeakThreads), PeakFrom: "pids.peak", Notes: []string{"tracefs was mounted for it"},
			Counts: map[harness.Counter]uint64{
				harness.ThreadsCreated: s.Figures.WatchdogsStarted + 7, harness.Mmap: s.Figures.WatchdogsStarted + 80, harness.AnonymousBytes: 3 << 30,
			},
			Allocations: &harness.Allocations{
				Persistent: 16, Transient: s.Figures.WatchdogsStarted + 3, Bytes: s.Figures.WatchdogsStarted << 23, Reservations: 5, ReservedBytes: 2 << 30,
			},
		}
		if arm == "ddsa" {
			s.Counted.StackCache, s.Counted.LostEvents = true, 2
			s.Counted.Declined = []string{"no tracefs"}
			delete(s.Counted.Counts, harness.Mmap)
		}
		r.Samples = append(r.Samples, s)
	}
	return r
}

// broken is a record whose optional parts no comparison wrote.
func broken() *harness.Record {
	r := full()
	r.Samples[2].Series.Threads = r.Samples[2].Series.Threads[:3]
	r.Samples[3].Series = harness.Series{At: []time.Duration{-1, 1 << 62}, RSS: []uint64{1 << 63, 1<<64 - 1}, Threads: []int{-5}}
	r.Samples[4].Figures.Latency = &harness.Latency{Upto: []time.Duration{-4, 1<<63 - 1}, Count: []uint64{1<<64 - 1, 1<<64 - 1, 3}}
	r.Samples[5].Figures.InExecutions = 1<<63 - 1
	r.Samples[6].Figures.InExecutions = 1
	r.Samples[len(r.Samples)-1].Counted.Allocations = &harness.Allocations{Transient: 1<<64 - 1}
	return r
}

// hostile is a record with markup in place of names.
func hostile() *harness.Record {
	const markup = "\"'><script>alert(1)</script>&{{.}}"
	r := record(6, markup, "ddsa")
	for i := range r.Samples {
		r.Samples[i].Series = harness.Series{At: []time.Duration{1, 2e9}, RSS: []uint64{1, 2}, Threads: []int{1, 2}}
	}
	r.Header.Corpus.Name, r.Header.Rules.Digest, r.Header.Environment.CPU = markup, markup, markup
	r.Header.Corpus.Counts["</p>"+markup] = 1
	r.Header.Rules.Counts["</p>"+markup] = 1
	r.Closing.Stopped = markup
	s := &r.Samples[3]
	s.Figures, s.Void = nil, &harness.Void{Cause: markup, Detail: "a\nb", Stderr: []string{markup}}
	return r
}

func render(t *testing.T, name string, r *harness.Record) []byte {
	t.Helper()
	form, err := report.RecordByName(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := form(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRecordFormsGolden(t *testing.T) {
	golden(t, "full.csv", render(t, "csv", full()))
	golden(t, "full.benchstat", render(t, "benchstat", full()))
	few := cases()["few"] // a void sample among them
	golden(t, "few.csv", render(t, "csv", few))
	golden(t, "few.benchstat", render(t, "benchstat", few))
}

// The forms of a summary print of a record what they print of its summary.
func TestRecordFormsOfSummary(t *testing.T) {
	for _, name := range report.Names {
		form, err := report.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := form(&b, compare.Summarize(full())); err != nil {
			t.Fatal(err)
		}
		if got := render(t, name, full()); !bytes.Equal(got, b.Bytes()) {
			t.Errorf("%s prints a record differently:\n%s", name, got)
		}
	}
}

// Whatever the record, there is a report, and one that cannot be written is an
// error.
func TestRecordFormsAlways(t *testing.T) {
	records := cases()
	records["full"], records["broken"], records["hostile"] = full(), broken(), hostile()
	disk := errors.New("disk is full")
	for _, name := range report.RecordNames {
		for which, r := range records {
			if len(render(t, name, r)) == 0 {
				t.Errorf("%s of %s is empty", name, which)
			}
		}
		form, err := report.RecordByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := form(failing{disk}, full()); !errors.Is(err, disk) {
			t.Errorf("%s: got %v, want %v", name, err, disk)
		}
	}
	if form, err := report.RecordByName("pdf"); form != nil || err == nil ||
		err.Error() != `unknown format "pdf"; known are table, markdown, json, csv, benchstat, html, record` {
		t.Errorf("pdf: %v", err)
	}
}

// Every value that the rows take from a sample is in the CSV form, unrounded.
func TestCSVValues(t *testing.T) {
	r := full()
	lines, err := csv.NewReader(bytes.NewReader(render(t, "csv", r))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, line := range lines[1:] {
		if got[strings.Join(line[:6], " ")], err = strconv.ParseFloat(line[7], 64); err != nil {
			t.Fatal(err)
		}
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		if s.Traced {
			continue
		}
		for _, row := range harness.Rows {
			pass := "timed"
			if s.Warmup {
				pass = "warmup"
			}
			start := strconv.FormatFloat(s.Start.Seconds(), 'f', -1, 64)
			key := strings.Join([]string{strconv.Itoa(s.Round), strconv.Itoa(s.Position), s.Arm, pass, start, row.Key}, " ")
			if value, there := got[key]; !there || value != row.Value(s) {
				t.Errorf("%s: got %v, want %v", key, value, row.Value(s))
			}
		}
	}
}
