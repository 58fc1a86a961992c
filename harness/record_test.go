package harness_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// example is a record with one of everything.
func example() *harness.Record {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &harness.Record{
		Header: harness.Header{
			Schema: harness.Schema, Started: start, Command: []string{"ddsabench", "compare"},
			Seed: 7, Arms: []string{"legacy", "ddsa"}, Rounds: 1, Workers: 2, RuleTimeout: time.Second,
			Corpus: harness.Input{Name: "small", Digest: "c0", Counts: map[executor.Language]int{executor.JavaScript: 3}},
			Rules:  harness.Input{Name: "builtin", Digest: "d0", Counts: map[executor.Language]int{executor.JavaScript: 2}},
		},
		Samples: []harness.Sample{
			{
				Arm: "legacy", Startup: time.Millisecond, PeakThreads: 9,
				Series: harness.Series{At: []time.Duration{1}, RSS: []uint64{4096}, Threads: []int{9}},
				Figures: &harness.Figures{
					Findings:  "aa",
					TimedOut:  []harness.Pair{{Language: executor.JavaScript, Path: "a.js", Rule: "s/r"}},
					Languages: map[executor.Language]harness.Counts{executor.JavaScript: {Files: 3, Pairs: 6}},
					Outcomes:  map[string]uint64{"ok": 5, "timeout": 1},
					Wall:      time.Second,
				},
			},
			{Position: 1, Arm: "ddsa", Void: &harness.Void{Cause: harness.Signal, Detail: "killed", Exit: -1, Stderr: []string{"x"}}},
		},
		Differences: []harness.Difference{{
			Pair: harness.Pair{Language: executor.JavaScript, Path: "a.js", Rule: "s/r"},
			A:    harness.Finding{Arm: "legacy", Outcome: "ok", Violations: 1, First: "1:2 x", Digest: "ee"},
			B:    harness.Finding{Arm: "ddsa", Outcome: "ok"},
		}},
		Closing: &harness.Closing{Ended: start.Add(time.Minute), Stopped: "findings differ"},
	}
}

func write(t testing.TB, r *harness.Record) string {
	t.Helper()
	var b bytes.Buffer
	w := harness.NewWriter(&b)
	errs := []error{w.Header(r.Header)}
	for _, s := range r.Samples {
		errs = append(errs, w.Sample(s))
	}
	for _, d := range r.Differences {
		errs = append(errs, w.Difference(d))
	}
	if r.Closing != nil {
		errs = append(errs, w.Closing(*r.Closing))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRecordRoundTrip(t *testing.T) {
	want := example()
	// What was nil when written may come back empty; the reader takes both.
	want.Header.Environment.Variables = nil
	got, err := harness.Read(strings.NewReader(write(t, want)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record changed on its way (-written +read):\n%s", diff)
	}
}

// A record that is cut anywhere is read up to its last whole line.
func TestCutOffAnywhere(t *testing.T) {
	text := write(t, example())
	header := strings.Index(text, "\n") + 1
	for cut := header; cut < len(text); cut++ {
		rec, err := harness.Read(strings.NewReader(text[:cut]))
		var off *harness.CutOffError
		if rec != nil || !errors.As(err, &off) {
			t.Fatalf("cut at %d: %v, %v", cut, rec, err)
		}
		lines := strings.Count(text[:cut], "\n")
		if got := 1 + len(off.Record.Samples) + len(off.Record.Differences); got != lines {
			t.Fatalf("cut at %d: %d lines read of %d", cut, got, lines)
		}
	}
	for cut := range header - 1 {
		var bad *harness.FormatError
		if rec, err := harness.Read(strings.NewReader(text[:cut])); rec != nil || !errors.As(err, &bad) {
			t.Fatalf("cut at %d, within the header: %v, %v", cut, rec, err)
		}
	}
}

// The counted pass is read back, and an incomplete one is told by its fields.
func TestRecordCounted(t *testing.T) {
	want := example()
	traced := want.Samples[0]
	traced.Round, traced.Traced = 1, true
	traced.Counted = &harness.Counted{
		Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.Mmap: 3}, StackCache: true,
		Allocations: &harness.Allocations{Transient: 2},
	}
	traced.Empty = &harness.Counted{Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.Mmap: 1}}
	want.Samples = append(want.Samples, traced)
	text := write(t, want)
	got, err := harness.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want.Header.Environment.Variables = nil
	if diff := cmp.Diff(want.Samples[2], got.Samples[2]); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	lost := strings.Replace(text, `,"lost_events":0`, "", 1)
	if _, err := harness.Read(strings.NewReader(lost)); err == nil || !strings.HasSuffix(err.Error(), "field sample.counted.lost_events: is missing") {
		t.Errorf("got %v", err)
	}
	cut := text[:strings.LastIndex(text[:len(text)-1], "\n")+1]
	if _, err := harness.Read(strings.NewReader(cut)); err == nil || !strings.Contains(err.Error(), "after 2 of 2 samples") {
		t.Errorf("got %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	text := write(t, example())
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	replace := func(old, with string) string { return strings.Replace(text, old, with, 1) }
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "run record, line 1: the file is empty"},
		"other JSON":     {"{}\n", "run record, line 1, field header.schema: this is not a run record"},
		"other schema":   {replace(`"schema":1`, `"schema":2`), "run record has schema version 2, this program reads version 1; use the program that wrote it"},
		"missing field":  {replace(`"seed":7,`, ``), "run record, line 1, field header.seed: is missing"},
		"missing figure": {replace(`"wall_ns":1000000000,`, ``), "run record, line 2, field sample.figures.wall_ns: is missing"},
		"missing count":  {replace(`"pairs":6,`, ``), "run record, line 2, field sample.figures.languages.JAVASCRIPT.pairs: is missing"},
		"missing pair":   {strings.Join(lines[:3], "") + strings.Replace(lines[3], `"path":"a.js",`, ``, 1), "run record, line 4, field difference.path: is missing"},
		"unknown arm":    {replace(`"arm":"legacy"`, `"arm":"other"`), `run record, line 2, field sample.arm: "other" is not an arm of this record`},
		"round":          {replace(`"round":0`, `"round":9`), "run record, line 2, field sample.round: 9 is out of range"},
		"no figures":     {replace(`"void":{`, `"vide":{`), "run record, line 3, field sample.figures: a sample has either figures or a cause why it is void"},
		"twice":          {lines[0] + lines[1] + lines[1], "run record, line 3, field sample: arm legacy has two samples in round 0"},
		"minimum effect": {replace(`"min_effect":0`, `"min_effect":1`), "run record, line 1, field header.min_effect: is out of range"},
		"rounds":         {replace(`"rounds":1,`, `"rounds":1001,`), "run record, line 1, field header.rounds: is out of range"},
		"two headers":    {lines[0] + lines[0], "run record, line 2, field header: belongs in the first line and only there"},
		"after the end":  {text + lines[1], "run record, line 6: a line after the closing line"},
		"not counted":    {replace(`"round":0`, `"round":1,"traced":true`), "run record, line 2, field sample.counted: traced samples that are not void have it, and no others"},
		"not traced":     {replace(`"round":0`, `"round":0,"counted":{"source":"bpf","counts":{},"stack_cache":true,"lost_events":0}`), "run record, line 2, field sample.counted: traced samples that are not void have it, and no others"},
		"traced round":   {replace(`"round":0`, `"round":0,"traced":true`), "run record, line 2, field sample.round: 0 is out of range"},
		"empty line":     {lines[0] + "{}\n", "run record, line 2: neither a sample, a difference nor the closing line"},
		"same arm twice": {replace(`["legacy","ddsa"]`, `["ddsa","ddsa"]`), "run record, line 1, field header.arms: names an arm twice"},
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := harness.Read(strings.NewReader(c.text))
			if rec != nil || err == nil || err.Error() != c.want {
				t.Errorf("got %v, %v\nwant %s", rec, err, c.want)
			}
		})
	}
}

// The one rule of the reader: a record or an error, never both or neither.
func FuzzRead(f *testing.F) {
	text := write(f, example())
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add("")
	f.Add(`{"header":{"schema":1}}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := harness.Read(strings.NewReader(text))
		if (rec == nil) == (err == nil) {
			t.Fatalf("record %v, error %v", rec, err)
		}
	})
}

// After a failed write nothing more is written: half a line may be there.
func TestWriterKeepsFirstError(t *testing.T) {
	full := errors.New("disk is full")
	failing := &failAfter{n: 1, err: full}
	w := harness.NewWriter(failing)
	r := example()
	if err := w.Header(r.Header); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Sample(r.Samples[0]); !errors.Is(err, full) {
			t.Errorf("got %v, want %v", err, full)
		}
	}
	if failing.calls != 2 {
		t.Errorf("%d writes, want 2", failing.calls)
	}
}

type failAfter struct {
	n, calls int
	err      error
}

func (w *failAfter) Write(p []byte) (int, error) {
	if w.calls++; w.calls > w.n {
		return 0, w.err
	}
	return len(p), nil
}

func TestCreateDoesNotOverwrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs", "r.jsonl")
	f, err := harness.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := harness.Create(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v, want that it exists", err)
	}
}

func TestWriteFileWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.md")
	put := func(text string, fail error) error {
		return harness.WriteFile(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return fail
		})
	}
	if err := put("first", nil); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk is full")
	if err := put("sec", full); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "first" {
		t.Errorf("after a failure: %q, %v", text, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
