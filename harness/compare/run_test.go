package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/measure"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A sampler is a func as Sampler. calls counts from 0.
type sampler struct {
	calls int
	run   func(call int, spec measure.JobSpec, events measure.Events) (harness.Sample, error)
}

func (s *sampler) Run(ctx context.Context, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
	if ctx.Err() != nil {
		return harness.Sample{}, ctx.Err()
	}
	s.calls++
	return s.run(s.calls-1, spec, events)
}

func options(rounds int) Options {
	return Options{Header: harness.Header{
		Seed: 1, Arms: []string{"legacy", "ddsa"}, Rounds: rounds, Warmup: 1, Workers: 2, RuleTimeout: time.Second,
		Command: []string{}, Corpus: harness.Input{Digest: "c0"}, Rules: harness.Input{Digest: "d0"},
	}}
}

// good is a sample with wall clock w and given findings.
func good(findings string, w time.Duration) harness.Sample {
	return harness.Sample{Figures: &harness.Figures{
		Findings: findings, Wall: w, Memory: harness.Memory{PeakReset: true},
		Languages: map[executor.Language]harness.Counts{executor.JavaScript: {Files: 3, Executions: 10}},
		Outcomes:  map[string]uint64{},
	}}
}

func void() harness.Sample {
	return harness.Sample{Void: &harness.Void{Cause: harness.Signal, Detail: "killed", Exit: -1}}
}

// run runs a comparison and checks that what was written reads back as what
// was returned.
func run(t *testing.T, ctx context.Context, o Options, s *sampler) *harness.Record {
	t.Helper()
	var b bytes.Buffer
	rec, err := Run(ctx, o, s, harness.NewWriter(&b))
	if err != nil {
		t.Fatal(err)
	}
	read, err := harness.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec, read, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("record differs from what was written (-returned +read):\n%s", diff)
	}
	return rec
}

func TestRunAll(t *testing.T) {
	var said []Progress
	o := options(8)
	o.Setup = []byte(`{"x":1}`)
	o.Progress = func(p Progress) { said = append(said, p) }
	rec := run(t, t.Context(), o, &sampler{run: func(call int, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
		if spec.Workers != 2 || spec.RuleTimeout != time.Second || spec.CorpusDigest != "c0" || spec.RulesDigest != "d0" ||
			string(spec.Setup) != `{"x":1}` || spec.Findings {
			t.Errorf("spec %+v", spec)
		}
		events.Progress(2, 3)
		if spec.Arm == "ddsa" {
			return good("f", 90*time.Millisecond), nil
		}
		return good("f", 100*time.Millisecond), nil
	}})
	if len(rec.Samples) != 18 {
		t.Fatalf("%d samples", len(rec.Samples))
	}
	for i, s := range rec.Samples {
		if s.Round != i/2 || s.Position != i%2 || s.Warmup != (i < 2) {
			t.Errorf("sample %d: %+v", i, s)
		}
		if s.End < s.Start || i > 0 && s.Start < rec.Samples[i-1].End || s.LoadAfter.Busy == 0 || s.LoadAfter.Busy < s.LoadBefore.Busy {
			t.Errorf("sample %d: from %v to %v, load %+v to %+v", i, s.Start, s.End, s.LoadBefore, s.LoadAfter)
		}
	}
	if len(said) != 36 || said[35].Sample != 18 || said[35].Samples != 18 || said[35].Done != 2 || !said[0].Warmup || said[35].Warmup {
		t.Errorf("%d times progress, last %+v", len(said), said[len(said)-1])
	}

	s := Summarize(rec)
	if s.Err() != nil || s.Blocks != 8 || s.Findings != "f" || len(s.Notes) != 0 {
		t.Errorf("%v, %d blocks, findings %s, notes %q", s.Err(), s.Blocks, s.Findings, s.Notes)
	}
	for _, row := range s.Rows {
		if row.Key != "wall" {
			continue
		}
		base, other := row.Cells[0], row.Cells[1]
		if base.N != 8 || base.Median != 0.1 || base.Change != nil || other.Median != 0.09 {
			t.Errorf("wall clock: %+v", row)
		}
		if c := other.Change; c == nil || c.Ratio < 0.8999 || c.Ratio > 0.9001 || c.Interval == nil {
			t.Errorf("change of wall clock: %+v", c)
		}
	}
}

// A difference ends the comparison after its round, and both arms run once more
// to say where it is.
func TestRunLocatesDifference(t *testing.T) {
	pair := func(path, rule string) harness.Pair {
		return harness.Pair{Language: executor.JavaScript, Path: path, Rule: rule}
	}
	rec := run(t, t.Context(), options(5), &sampler{run: func(call int, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
		if spec.Findings {
			say := func(path, rule, outcome, digest string) {
				events.Finding(pair(path, rule), harness.Finding{Arm: spec.Arm, Outcome: outcome, Digest: digest})
			}
			say("same.js", "r", "ok", "1")
			switch spec.Arm {
			case "legacy":
				say("b.js", "r", "ok", "2")
				say("a.js", "q", "script error", "")
			case "ddsa":
				say("b.js", "r", "ok", "3")
				say("c.js", "r", "ok", "4")
			}
			return good("x", 1), nil
		}
		if call >= 4 && spec.Arm == "ddsa" {
			return good("other", 1), nil
		}
		return good("f", 1), nil
	}})
	if len(rec.Samples) != 6 || rec.Closing.Stopped != "findings differ" {
		t.Errorf("%d samples, stopped: %s", len(rec.Samples), rec.Closing.Stopped)
	}
	var where []string
	for _, d := range rec.Differences {
		where = append(where, fmt.Sprintf("%s %s %s%s %s%s", d.Path, d.Rule, d.A.Outcome, d.A.Digest, d.B.Outcome, d.B.Digest))
	}
	if diff := cmp.Diff([]string{"a.js q script error ok", "b.js r ok2 ok3", "c.js r ok ok4"}, where); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	s := Summarize(rec)
	if !errors.Is(s.Err(), ErrFindingsDiffer) || s.Mismatch.Kind != FindingsDiffer || s.Findings != "" {
		t.Errorf("%v, %+v", s.Err(), s.Mismatch)
	}
	for _, row := range s.Rows {
		if row.Cells[1].Change != nil {
			t.Errorf("%s has a change in a void comparison", row.Key)
		}
	}
}

func TestRunEndsWhenAnArmStaysVoid(t *testing.T) {
	rec := run(t, t.Context(), options(50), &sampler{run: func(_ int, spec measure.JobSpec, _ measure.Events) (harness.Sample, error) {
		if spec.Arm == "ddsa" {
			return void(), nil
		}
		return good("f", 1), nil
	}})
	s := Summarize(rec)
	if len(s.Voids) != maxVoid || s.Stopped != "3 samples of ddsa in a row gave no figures" || !errors.Is(s.Err(), ErrIncomplete) {
		t.Errorf("%d voids, stopped: %s, %v", len(s.Voids), s.Stopped, s.Err())
	}
}

// A single void sample costs its block, and nothing else.
func TestRunGoesOnAfterVoid(t *testing.T) {
	rec := run(t, t.Context(), options(7), &sampler{run: func(call int, spec measure.JobSpec, _ measure.Events) (harness.Sample, error) {
		if call == 7 {
			return void(), nil
		}
		return good("f", time.Duration(1+call)), nil
	}})
	s := Summarize(rec)
	if len(rec.Samples) != 16 || len(s.Voids) != 1 || s.Blocks != 6 || s.Err() != nil {
		t.Errorf("%d samples, %d voids, %d blocks, %v", len(rec.Samples), len(s.Voids), s.Blocks, s.Err())
	}
	if got := s.Rows[0].Cells[0].N + s.Rows[0].Cells[1].N; got != 13 {
		t.Errorf("%d counted samples, want 13", got)
	}
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rec := run(t, ctx, options(9), &sampler{run: func(call int, _ measure.JobSpec, _ measure.Events) (harness.Sample, error) {
		if call == 6 {
			cancel()
			return harness.Sample{}, ctx.Err()
		}
		return good("f", 1), nil
	}})
	s := Summarize(rec)
	if len(rec.Samples) != 6 || !errors.Is(s.Err(), ErrInterrupted) || s.Blocks != 2 {
		t.Errorf("%d samples, %v, %d blocks", len(rec.Samples), s.Err(), s.Blocks)
	}
}

func TestRunErrors(t *testing.T) {
	no := errors.New("no")
	fails := &sampler{run: func(int, measure.JobSpec, measure.Events) (harness.Sample, error) { return harness.Sample{}, no }}
	if rec, err := Run(t.Context(), options(1), fails, harness.NewWriter(&bytes.Buffer{})); rec != nil || !errors.Is(err, no) {
		t.Errorf("child that cannot start: %v, %v", rec, err)
	}
	works := &sampler{run: func(int, measure.JobSpec, measure.Events) (harness.Sample, error) { return good("f", 1), nil }}
	if rec, err := Run(t.Context(), options(1), works, harness.NewWriter(failing{no})); rec != nil || !errors.Is(err, no) {
		t.Errorf("record that cannot be written: %v, %v", rec, err)
	}
	if works.calls != 0 {
		t.Error("a child ran without a record")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestCheck(t *testing.T) {
	if err := options(1).Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*harness.Header){
		"compare: 1 arms; at least 2 are needed":                            func(h *harness.Header) { h.Arms = h.Arms[:1] },
		`compare: arms ["a" "a"] name one twice`:                            func(h *harness.Header) { h.Arms = []string{"a", "a"} },
		"compare: 0 rounds; at least 1 is needed":                           func(h *harness.Header) { h.Rounds = 0 },
		"compare: -1 warm-up rounds; use 0 for none":                        func(h *harness.Header) { h.Warmup = -1 },
		"compare: 0 workers; at least 1 is needed":                          func(h *harness.Header) { h.Workers = 0 },
		"compare: 1001 rounds; at most 1000 are possible":                   func(h *harness.Header) { h.Rounds = 1001 },
		"compare: minimum effect 1; it is a share, from 0 to below 1":       func(h *harness.Header) { h.MinEffect = 1 },
		"compare: minimum effect NaN; it is a share, from 0 to below 1":     func(h *harness.Header) { h.MinEffect = math.NaN() },
		`compare: arm "a+b": unknown modifier "b"; an arm is ` + arm.Syntax: func(h *harness.Header) { h.Arms = []string{"a", "a+b"} },
		"compare: rule timeout -1s is negative; use 0 for none":             func(h *harness.Header) { h.RuleTimeout = -time.Second },
	} {
		o := options(1)
		change(&o.Header)
		if err := o.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// What an arm's modifiers ask of the child and of its parent is in the job.
func TestSpec(t *testing.T) {
	o := options(1)
	for name, want := range map[string][2]bool{
		"a": {}, "a+again": {}, "a+process": {true, false}, "a+unsampled": {false, true}, "a+process+unsampled": {true, true},
	} {
		if s := o.spec(name); s.Arm != name || s.Processes != want[0] || s.Unsampled != want[1] {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
