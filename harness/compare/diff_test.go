package compare

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

// recordOf is a complete record in which an execution of the arm costs so much,
// with some noise.
func recordOf(rounds int, cost map[string]time.Duration, arms ...string) *harness.Record {
	rng := rand.New(rand.NewPCG(3, 3))
	h := options(rounds).Header
	h.Arms, h.Warmup, h.MinEffect = arms, 0, 0.01
	h.Environment.Cores, h.Environment.CPU, h.Environment.Commit = 2, "x", "new"
	r := &harness.Record{Header: h, Closing: &harness.Closing{}}
	for round, order := range orders(len(arms), rounds, rng) {
		for position, i := range order {
			s := good("f", time.Second)
			s.Round, s.Position, s.Arm = round, position, arms[i]
			s.Figures.InExecutions = cost[arms[i]] + time.Duration(rng.NormFloat64()*float64(time.Millisecond))
			s.Figures.InV8 = 200*time.Millisecond + time.Duration(rng.NormFloat64()*float64(time.Millisecond))
			r.Samples = append(r.Samples, s)
		}
	}
	return r
}

func TestDiff(t *testing.T) {
	old := recordOf(10, map[string]time.Duration{"legacy": 900 * ms, "ddsa": 500 * ms}, "legacy", "ddsa")
	old.Header.Environment.Commit = "old"
	now := recordOf(8, map[string]time.Duration{"ddsa": 600 * ms, "legacy": 900 * ms, "none": 400 * ms}, "ddsa", "legacy", "none")
	list, err := Diff(old, now)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d summaries, %v", len(list), err)
	}
	ddsa, legacy := list[0], list[1]
	if c := ddsa.Main().Cells; c[0].Arm != "ddsa old" || c[0].N != 10 || c[1].N != 8 || c[1].Verdict != Slower || c[1].Change.Interval.Low < 1.19 {
		t.Errorf("ddsa: %+v", c)
	}
	if !ddsa.Regression() || ddsa.Inconclusive() || ddsa.Err() != nil {
		t.Error("ddsa is slower now")
	}
	if v := legacy.Main().Cells[1].Verdict; v != Same || legacy.Regression() || legacy.Inconclusive() {
		t.Errorf("legacy: %s", v)
	}
	if ddsa.Older.Environment.Commit != "old" || ddsa.Header.Environment.Commit != "new" {
		t.Errorf("old %+v, new %+v", ddsa.Older, ddsa.Header)
	}
	// What is doubtful about the whole is pointed to from the headline.
	old.Samples[0].Start, old.Samples[0].End = 0, time.Second
	old.Samples[0].LoadAfter = harness.Load{Busy: 1, Steal: time.Minute}
	old.Header.Environment.Kernel = "older"
	if list, err = Diff(old, now); err != nil {
		t.Fatal(err)
	}
	s := list[0] // its samples are the old one's of legacy or ddsa
	if old.Samples[0].Arm == "legacy" {
		s = list[1]
	}
	main := s.Main().Cells[1]
	if !noted(s, main, "measured at different times") || !noted(s, main, "The machine was busy") {
		t.Errorf("notes %v of %q", main.Notes, s.Notes)
	}
	if last := s.Notes[len(s.Notes)-1]; last != `The kernel: "older" in the old record, "" in the new one.` || s.Numbered() != len(s.Notes)-1 {
		t.Errorf("%d of these are about cells: %q", s.Numbered(), s.Notes)
	}
}

// What was found must be the same, within the arm and within each record.
func TestDiffVoid(t *testing.T) {
	make := func() *harness.Record {
		return recordOf(6, map[string]time.Duration{"legacy": time.Second, "ddsa": time.Second}, "legacy", "ddsa")
	}
	old, now := make(), make()
	for i := range now.Samples {
		now.Samples[i].Figures.Findings = "g"
	}
	list, err := Diff(old, now)
	if err != nil || !errors.Is(list[0].Err(), ErrFindingsDiffer) || list[0].Main().Cells[1].Change != nil {
		t.Errorf("other findings: %+v, %v", list, err)
	}
	old, now = make(), make()
	old.Samples[3].Figures.Findings = "g"
	old.Closing.Stopped = "findings differ"
	if list, err = Diff(old, now); err != nil || !errors.Is(list[0].Err(), ErrFindingsDiffer) || !errors.Is(list[1].Err(), ErrFindingsDiffer) {
		t.Errorf("a void record: %+v, %v", list, err)
	}
	for i, s := range list {
		if a, b := s.Mismatch.A.Arm, s.Mismatch.B.Arm; !strings.HasSuffix(a, " old") || !strings.HasSuffix(b, " old") {
			t.Errorf("summary %d: %q and %q disagree within the old record", i, a, b)
		}
	}
	if a := Summarize(old).Mismatch.A.Arm; strings.HasSuffix(a, " old") {
		t.Errorf("the record itself names %q", a)
	}
	old, now = make(), make()
	now.Closing = nil
	if list, err = Diff(old, now); err != nil || !errors.Is(list[0].Err(), ErrIncomplete) {
		t.Errorf("cut off: %+v, %v", list, err)
	}
}

func TestDiffRefuses(t *testing.T) {
	for what, change := range map[string]func(*harness.Header){
		"corpus":                         func(h *harness.Header) { h.Corpus.Digest = "other" },
		"rules":                          func(h *harness.Header) { h.Rules.Digest = "other" },
		"processor":                      func(h *harness.Header) { h.Environment.CPU = "other" },
		"number of cores":                func(h *harness.Header) { h.Environment.Cores = 64 },
		"workers":                        func(h *harness.Header) { h.Workers = 9 },
		"number of merged shards":        func(h *harness.Header) { h.Merged = 3 },
		"method of the findings' digest": func(h *harness.Header) { h.FindingsMethod = "other" },
		"rule timeout":                   func(h *harness.Header) { h.RuleTimeout = 9 },
		"arms":                           func(h *harness.Header) { h.Arms = []string{"c", "d"} },
		"variables of the environment": func(h *harness.Header) {
			h.Environment.Variables = map[string]string{"GOGC": "off"}
		},
	} {
		old := recordOf(6, nil, "legacy", "ddsa")
		now := recordOf(6, nil, "legacy", "ddsa")
		change(&now.Header)
		now.Samples = nil
		list, err := Diff(old, now)
		var d *DifferentError
		if list != nil || !errors.As(err, &d) || d.What != what || d.Old == d.New {
			t.Errorf("%s: %v, %v", what, list, err)
		}
	}
}
