package kept

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// record has three timed samples of each arm; those of the second take half as
// long. Scale is the size of the corpus.
func record(scale int, arms ...string) *harness.Record {
	r := &harness.Record{Header: harness.Header{Arms: arms, Workers: 2, Corpus: harness.Input{Name: "c", Bytes: int64(scale) * 1e6}}}
	for i, arm := range arms {
		for round := range 3 {
			ms := func(n int) time.Duration { return time.Duration(n*scale/(i+1)) * time.Millisecond }
			r.Samples = append(r.Samples, harness.Sample{Arm: arm, Round: round, Figures: &harness.Figures{
				Languages: map[executor.Language]harness.Counts{
					executor.JavaScript: {Files: uint64(scale), Pairs: uint64(7 * scale), Executions: uint64(scale)},
					executor.TypeScript: {Files: uint64(2 * scale), Pairs: uint64(30 * scale), Executions: uint64(scale)},
				},
				Wall: ms(1000 + round), InExecutions: ms(400), InV8: ms(200), Query: ms(100), Load: ms(500), Parse: ms(300), Match: ms(100),
				WatchdogsStarted: uint64(2 * scale), Memory: harness.Memory{PeakRSS: 100 << 20}, Job: harness.Usage{User: ms(900), System: ms(100)},
			}})
		}
	}
	return r
}

func counted(r *harness.Record) *harness.Record {
	for i, arm := range r.Header.Arms {
		r.Samples = append(r.Samples, harness.Sample{
			Arm: arm, Round: 3, Traced: true, Figures: r.Samples[0].Figures,
			Counted: &harness.Counted{
				Counts:      map[harness.Counter]uint64{harness.ThreadsCreated: uint64(2005 - 2000*i)},
				Allocations: &harness.Allocations{Persistent: 16, Transient: uint64(2000 - 1900*i), Bytes: 3 << 30 >> (10 * i)},
			},
		})
	}
	return r
}

func TestFigures(t *testing.T) {
	run := &Run{Records: map[string]*harness.Record{
		Main: record(1000, "legacy", "ddsa"), NoStackCache: counted(record(1000, "legacy", "ddsa")), StartUp: record(1, "legacy", "ddsa"),
		Hundredth: record(10, "legacy", "ddsa"), SeparateQuery: record(10, "ddsa+separate", "ddsa"),
	}}
	want, err := os.ReadFile("testdata/figures.md")
	if err != nil {
		t.Fatal(err)
	}
	got := run.Figures()
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, got)
	}
}

// Numbers are written for people.
func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		count(0): "0", count(999): "999", count(1000): "1,000", count(1007195): "1,007,195",
		digits(0): "0.00", digits(41): "41.0", digits(238): "238", digits(12345): "12345", digits(0.01234): "0.0123", digits(-2.5): "-2.50",
		bytesOf(96<<20 + 765460): "96.73 MiB", bytesOf(5 << 30): "5.00 GiB",
		change(238, 199): "-16.4 %", change(0, 1): "-", share(1, 8): "12.5 %", share(1, 0): "-",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "record.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("no record was taken for one")
	}
}
