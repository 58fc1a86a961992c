package merge

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// fill sets all numbers in v, at any depth, to n.
func fill(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Uint64:
		v.SetUint(uint64(n))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	}
}

func digit(n int) string { return fmt.Sprintf("%064x", n) }

// shardRecord is a record of part i of n in which each number is i.
func shardRecord(i, n int) *harness.Record {
	ended := time.Date(2026, 1, 2, 3, 4, i, 0, time.UTC)
	r := &harness.Record{
		Header: harness.Header{
			Schema: harness.Schema, Started: ended.Add(-time.Hour), Seed: 7, Arms: []string{"legacy", "ddsa"}, Rounds: 1, Workers: 2,
			Command: []string{"ddsabench", "compare", fmt.Sprintf("--shard=%d/%d", i, n)},
			Corpus:  harness.Input{Name: "part", Digest: digit(i)}, Rules: harness.Input{Name: "builtin", Digest: "r"},
			FindingsMethod: measure.FindingsMethod,
			Shard:          &harness.Shard{Index: i, Of: n, Whole: harness.Input{Name: "c", Digest: "whole"}},
			Environment:    harness.Environment{CPU: "CPU " + string(rune('A'+i%2)), Variables: map[string]string{}},
		},
		Closing: &harness.Closing{Ended: ended},
	}
	for position, arm := range []string{"ddsa", "legacy"} {
		for round := range 2 {
			f := &harness.Figures{
				Languages: map[executor.Language]harness.Counts{executor.JavaScript: {}},
				Outcomes:  map[string]uint64{"ok": uint64(i)},
				TimedOut:  []harness.Pair{{Path: fmt.Sprintf("%d.js", n-i)}},
			}
			fill(reflect.ValueOf(f).Elem(), i)
			counts := harness.Counts{}
			fill(reflect.ValueOf(&counts).Elem(), i)
			f.Languages[executor.JavaScript] = counts
			f.Findings = digit(i)
			f.Latency = &harness.Latency{Upto: []time.Duration{5, time.Duration(10 * i)}, Count: []uint64{1, 2}}
			s := harness.Sample{Round: round, Position: position, Arm: arm, Start: 10, End: 30, PeakThreads: i, Figures: f, Traced: round == 1}
			if s.Traced {
				s.Counted = &harness.Counted{
					Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.Mmap: uint64(i)},
					PeakThreads: uint64(i), PeakFrom: "pids", Allocations: &harness.Allocations{Persistent: uint64(i)},
				}
				s.Empty = &harness.Counted{Source: harness.BPF, Counts: map[harness.Counter]uint64{}, Allocations: &harness.Allocations{}}
			}
			r.Samples = append(r.Samples, s)
		}
	}
	return r
}

func shardRecords(n int) []*harness.Record {
	var list []*harness.Record
	for i := n; i >= 1; i-- {
		list = append(list, shardRecord(i, n))
	}
	return list
}

// Numbers add up, whichever fields there are; peaks are the largest.
func TestRecords(t *testing.T) {
	list := shardRecords(3)
	before := shardRecords(3)
	whole, err := Records(list)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, list); diff != "" {
		t.Errorf("merging changed its input: %s", diff)
	}
	h := whole.Header
	if h.Merged != 3 || h.Shard != nil || h.Corpus.Name != "c" || h.Corpus.Digest != "whole" || h.Environment.CPU != "CPU B and CPU A" ||
		!slices.Equal(h.Command, []string{"ddsabench", "compare"}) || !whole.Closing.Ended.Equal(list[0].Closing.Ended) {
		t.Errorf("header %+v, closing %+v", h, whole.Closing)
	}
	if len(whole.Samples) != 4 {
		t.Fatalf("%d samples", len(whole.Samples))
	}
	for _, s := range whole.Samples {
		want := harness.Figures{}
		fill(reflect.ValueOf(&want).Elem(), 1+2+3)
		fill(reflect.ValueOf(&want.Memory).Elem(), 3)
		want.Findings = digit(1 + 2 + 3)
		counts := harness.Counts{}
		fill(reflect.ValueOf(&counts).Elem(), 1+2+3)
		want.Languages = map[executor.Language]harness.Counts{executor.JavaScript: counts}
		want.Outcomes = map[string]uint64{"ok": 6}
		want.TimedOut = []harness.Pair{{Path: "0.js"}, {Path: "1.js"}, {Path: "2.js"}}
		want.Latency = &harness.Latency{Upto: []time.Duration{5, 10, 20, 30}, Count: []uint64{3, 2, 2, 2}}
		if diff := cmp.Diff(&want, s.Figures); diff != "" {
			t.Errorf("%s, round %d: %s", s.Arm, s.Round, diff)
		}
		if s.Start != 30 || s.End != 90 || s.PeakThreads != 3 {
			t.Errorf("sample %+v", s)
		}
		if s.Traced && (s.Counted.Counts[harness.Mmap] != 6 || s.Counted.PeakThreads != 3 || s.Counted.Allocations.Persistent != 6 || s.Empty == nil) {
			t.Errorf("counted %+v", s.Counted)
		}
	}
}

// What was merged is a record that can be read again.
func TestMergedIsARecord(t *testing.T) {
	whole, err := Records(shardRecords(2))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := harness.WriteRecord(&b, whole); err != nil {
		t.Fatal(err)
	}
	again, err := harness.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.Samples, again.Samples); diff != "" {
		t.Error(diff)
	}
}

// A void sample of a shard voids that of the whole.
func TestMergeOfVoid(t *testing.T) {
	for bad := range 3 {
		list := shardRecords(3)
		s := &list[bad].Samples[1]
		s.Figures, s.Counted, s.Empty, s.Void = nil, nil, nil, &harness.Void{Cause: harness.Hang}
		whole, err := Records(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := whole.Samples[1]; got.Void == nil || got.Figures != nil || got.Counted != nil || whole.Samples[0].Void != nil {
			t.Errorf("with record %d void: %+v", bad, got)
		}
	}
}

func TestRecordsRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func([]*harness.Record) []*harness.Record
		record int // -1: none in particular
		says   string
	}{
		"none":          {func([]*harness.Record) []*harness.Record { return nil }, -1, "nothing to merge"},
		"missing":       {func(l []*harness.Record) []*harness.Record { return l[1:] }, -1, "shards are missing: 3/3"},
		"twice":         {func(l []*harness.Record) []*harness.Record { return append(l, l[1]) }, 3, "record 2 is of shard 2/3, too"},
		"a whole":       {second(func(r *harness.Record) { r.Header.Shard = nil }), 1, "it is no record of a shard"},
		"no such shard": {second(func(r *harness.Record) { r.Header.Shard.Index = 4 }), 1, "no shard 4/3"},
		"cut off":       {second(func(r *harness.Record) { r.Closing = nil }), 1, "cut off"},
		"other number":  {second(func(r *harness.Record) { r.Header.Shard.Of = 4 }), 1, "number of shards 4, in the first record 3"},
		"other files":   {second(func(r *harness.Record) { r.Header.Shard.Whole.Digest = "x" }), 1, "corpus x"},
		"other rules":   {second(func(r *harness.Record) { r.Header.Rules.Digest = "x" }), 1, "rules x"},
		"other seed":    {second(func(r *harness.Record) { r.Header.Seed = 8 }), 1, "seed"},
		"other program": {second(func(r *harness.Record) { r.Header.Environment.Commit = "x" }), 1, "commit x"},
		"other digest":  {second(func(r *harness.Record) { r.Header.FindingsMethod = "" }), 1, "do not add up"},
		"fewer samples": {second(func(r *harness.Record) { r.Samples = r.Samples[1:] }), 1, "3 samples, the first record 4"},
		"other order":   {second(func(r *harness.Record) { r.Samples[0].Position = 1 }), 1, "no sample of ddsa in round 0"},
		"bad digest":    {second(func(r *harness.Record) { r.Samples[0].Figures.Findings = "x" }), 1, "findings digest"},
		"other count":   {second(func(r *harness.Record) { r.Samples[1].Counted.Source = harness.PerfEvent }), 1, "counted by perf_event"},
		"uncounted":     {second(func(r *harness.Record) { r.Samples[1].Counted = nil }), 1, "a counted pass in some shards only"},
	} {
		_, err := Records(test.change(shardRecords(3)))
		var bad *Error
		if err == nil || !strings.Contains(err.Error(), test.says) || errors.As(err, &bad) != (test.record >= 0) || bad != nil && bad.Record != test.record {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
}

// second changes the second record.
func second(change func(*harness.Record)) func([]*harness.Record) []*harness.Record {
	return func(list []*harness.Record) []*harness.Record {
		change(list[1])
		return list
	}
}

// A shard in which nothing was executed has no histogram, and takes none away.
func TestMergeWithoutExecutions(t *testing.T) {
	for idle := range 3 {
		list := shardRecords(3)
		f := list[idle].Samples[0].Figures
		f.Executions, f.Latency = 0, nil
		whole, err := Records(list)
		if err != nil {
			t.Fatal(err)
		}
		if l := whole.Samples[0].Figures.Latency; l == nil || l.Count[0] != 2 {
			t.Errorf("with record %d idle: %+v", idle, l)
		}
	}
	list := shardRecords(3)
	list[1].Samples[0].Figures.Latency = nil
	if whole, err := Records(list); err != nil || whole.Samples[0].Figures.Latency != nil {
		t.Errorf("with one not known: %v", err)
	}
}

// The bound on the list of timeouts holds.
func TestTimedOutIsBounded(t *testing.T) {
	list := shardRecords(2)
	for _, r := range list {
		r.Samples[0].Figures.TimedOut = make([]harness.Pair, maxTimedOut)
	}
	whole, err := Records(list)
	if err != nil || len(whole.Samples[0].Figures.TimedOut) != maxTimedOut {
		t.Errorf("%d timeouts, %v", len(whole.Samples[0].Figures.TimedOut), err)
	}
}
