package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
	"github.com/ddsabench/ddsabench/harness/stats"
)

var update = flag.Bool("update", false, "write the golden files anew")

// record is a made-up comparison; ddsa saves 40 µs per execution.
func record(rounds int, arms ...string) *harness.Record {
	const js, ts = executor.JavaScript, executor.TypeScript
	r := &harness.Record{
		Header: harness.Header{
			Schema: harness.Schema, Seed: 42, Arms: arms, Rounds: rounds, Warmup: 1, Workers: 2, MinEffect: 0.01,
			RuleTimeout: 2 * time.Second, Command: []string{"ddsabench", "compare"},
			Corpus: harness.Input{Name: "small", Digest: strings.Repeat("c0", 32), Counts: map[executor.Language]int{js: 1096, ts: 839}},
			Rules:  harness.Input{Name: "builtin", Digest: strings.Repeat("d0", 32), Counts: map[executor.Language]int{js: 7, ts: 15}},
			Environment: harness.Environment{
				CPU: "AMD EPYC", Cores: 2, Memory: 8 << 30, Kernel: "Linux 6.1.0", Go: "go1.26.8", V8: "10.2.154.26",
				Commit: "0123456789ab", MaxProcs: 2,
			},
		},
		Closing: &harness.Closing{},
	}
	for round := range rounds + 1 {
		for position := range arms {
			r.Samples = append(r.Samples, sample(round, position, arms[(round+position)%len(arms)]))
		}
	}
	return r
}

func sample(round, position int, arm string) harness.Sample {
	noise := time.Duration(round*7%5) * 9 * time.Millisecond
	cost, watchdogs, threads := 45*time.Microsecond, uint64(6543), 9
	switch arm {
	case "ddsa":
		cost, watchdogs, threads = 5*time.Microsecond, 2, 8
	case "none":
		cost, watchdogs, threads = 4900*time.Nanosecond, 0, 6
	}
	inside := 31*time.Millisecond + noise/20
	return harness.Sample{
		Round: round, Position: position, Arm: arm, Warmup: round == 0, PeakThreads: threads,
		Figures: &harness.Figures{
			Findings: strings.Repeat("f0", 32),
			Languages: map[executor.Language]harness.Counts{
				executor.JavaScript: {Files: 1096, Pairs: 7672, Executions: 2543, Visits: 9876, Violations: 321},
				executor.TypeScript: {Files: 839, Pairs: 12585, Executions: 4000, Visits: 12000, Violations: 400},
			},
			Outcomes:     map[string]uint64{"ok": 20256, "script error": 1},
			Wall:         900*time.Millisecond + 3272*cost + noise,
			InExecutions: 6543*cost + inside, InV8: inside, Load: 1600*time.Millisecond + noise,
			WatchdogsStarted: watchdogs,
			Memory: harness.Memory{
				PeakRSS: 61<<20 + uint64(noise)/100, PeakVirtual: 1900<<20 + uint64(threads)*8<<20, PageTables: 612 << 10, PeakReset: true,
			},
			Job: harness.Usage{
				User: 1700*time.Millisecond + noise, System: 6543*cost/3 + 80*time.Millisecond,
				MinorFaults: 15000 + watchdogs, Voluntary: 2*watchdogs + 900 + uint64(noise/time.Millisecond), Involuntary: 60,
			},
		},
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; if it should, run the test with -update (-want +got):\n%s", path, diff)
	}
}

// cases are the endings that a comparison can have.
func cases() map[string]*harness.Record {
	fine := record(10, "legacy", "ddsa")
	three := record(7, "legacy", "ddsa", "none")

	few := record(3, "legacy", "ddsa")
	few.Samples[5].Figures = nil
	few.Samples[5].Void = &harness.Void{
		Cause: harness.Signal, Detail: "segmentation fault", Exit: -1, Stderr: []string{"fatal: \x1b[31mred", "goroutine 1"},
	}
	few.Closing.Interrupted = true

	differ := record(2, "legacy", "ddsa")
	differ.Samples = differ.Samples[:2]
	differ.Samples[1].Figures.Findings = strings.Repeat("e1", 32)
	differ.Closing.Stopped = "findings differ"
	pair := harness.Pair{Language: executor.JavaScript, Path: "rxjs-7.8.1/src/a\x1b.js", Rule: "builtin/no-var"}
	differ.Differences = []harness.Difference{{
		Pair: pair,
		A:    harness.Finding{Arm: "legacy", Outcome: "ok", Violations: 2, First: `3:1 "use let or const"`},
		B:    harness.Finding{Arm: "ddsa", Outcome: "script error"},
	}}

	timeouts := record(2, "legacy", "ddsa")
	timeouts.Samples = timeouts.Samples[:2]
	f := timeouts.Samples[1].Figures
	f.Findings, f.Outcomes, f.TimedOut = strings.Repeat("e1", 32), map[string]uint64{"ok": 20255, "timeout": 1}, []harness.Pair{pair}
	timeouts.Closing.Stopped = "findings differ"

	dead := record(2, "legacy", "ddsa")
	dead.Samples = nil
	dead.Closing.Stopped = "3 samples of ddsa in a row gave no figures"

	return map[string]*harness.Record{
		"fine": fine, "three": three, "few": few, "differ": differ, "timeouts": timeouts, "dead": dead,
	}
}

func TestGolden(t *testing.T) {
	for name, rec := range cases() {
		for ext, form := range map[string]report.Form{"table": report.Table, "md": report.Markdown} {
			t.Run(name+"."+ext, func(t *testing.T) {
				var b bytes.Buffer
				if err := form(&b, compare.Summarize(rec)); err != nil {
					t.Fatal(err)
				}
				golden(t, name+"."+ext, b.Bytes())
				if strings.Contains(b.String(), "\x1b") {
					t.Error("an escape sequence came through")
				}
				if !utf8.Valid(b.Bytes()) {
					t.Error("not UTF-8")
				}
				if ext == "table" && name != "three" {
					narrow(t, b.String())
				}
			})
		}
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	want := compare.Summarize(record(10, "legacy", "ddsa"))
	if err := report.JSON(&b, want); err != nil {
		t.Fatal(err)
	}
	got := &compare.Summary{}
	if err := json.Unmarshal(b.Bytes(), got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary changed on its way (-written +read):\n%s", diff)
	}

	// The form itself, on figures that have no rounding.
	b.Reset()
	small := &compare.Summary{
		Header: record(1, "legacy", "ddsa").Header,
		Blocks: 6, Findings: "aa", Notes: []string{"A note <here>."},
		Rows: []compare.Row{{Key: "wall", Name: "wall clock", Unit: harness.Seconds, Cells: []compare.Cell{
			{Arm: "legacy", Description: stats.Description{N: 6, Min: 1, Q1: 2, Median: 2, Q3: 3, Max: 4}},
			{
				Arm: "ddsa", Description: stats.Description{N: 6, Min: 1, Q1: 1, Median: 1, Q3: 1, Max: 1},
				Change: &stats.Change{Ratio: 0.5, N: 6, Interval: &stats.Interval{Low: 0.25, High: 0.75, Confidence: 0.96875}},
			},
		}}},
	}
	if err := report.JSON(&b, small); err != nil {
		t.Fatal(err)
	}
	golden(t, "small.json", b.Bytes())
}

func TestExplain(t *testing.T) {
	var b bytes.Buffer
	if err := report.Explain(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain.txt", b.Bytes())
	narrow(t, b.String())
}

// narrow checks that text fits a terminal of 80 columns.
func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestByName(t *testing.T) {
	for _, name := range report.Names {
		if form, err := report.ByName(name); form == nil || err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if form, err := report.ByName("pdf"); form != nil || err == nil || err.Error() != `unknown format "pdf"; known are table, markdown, json` {
		t.Errorf("pdf: %v", err)
	}
}

// A report that cannot be written is an error, never half a report and success.
func TestWriteError(t *testing.T) {
	full := errors.New("disk is full")
	for _, name := range report.Names {
		form, err := report.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := form(failing{full}, compare.Summarize(record(1, "legacy", "ddsa"))); !errors.Is(err, full) {
			t.Errorf("%s: got %v, want %v", name, err, full)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
