package measure

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

func TestRunJobCounts(t *testing.T) {
	f, err := RunJob(t.Context(), fakeSpec(), fakeEnv(20), Events{})
	if err != nil {
		t.Fatal(err)
	}
	// 15 JavaScript files, one not parsed: 14 x 3 pairs, of which a third
	// idle. Odd and parsed are 1, 9, 13, 17. 5 TypeScript files x 2 pairs, all
	// of odd length.
	want := map[executor.Language]harness.Counts{
		executor.JavaScript: {Files: 15, Pairs: 42, Executions: 28, Visits: 56, Violations: 4},
		executor.TypeScript: {Files: 5, Pairs: 10, Executions: 10, Visits: 20, Violations: 5},
	}
	if diff := cmp.Diff(want, f.Languages); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]uint64{"ok": 33, "timeout": 5, "script error": 14}, f.Outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if len(f.TimedOut) != 5 || f.TimedOut[0] != (harness.Pair{Language: executor.TypeScript, Path: "f003.ts", Rule: "s/slow"}) {
		t.Errorf("timed out: %v", f.TimedOut)
	}
	if f.Unparsed != 1 || f.Executions != 38 || f.WatchdogsStarted != 38 || f.WatchdogsEnded != 38 {
		t.Errorf("unparsed %d, executions %d, watchdogs %d, ended %d; want 1, 38, 38, 38",
			f.Unparsed, f.Executions, f.WatchdogsStarted, f.WatchdogsEnded)
	}
	if f.InExecutions != 3*f.InV8 || f.Parse != 1000*f.Match || f.Match != 19 {
		t.Errorf("in executions %v, in V8 %v, parse %v, match %v", f.InExecutions, f.InV8, f.Parse, f.Match)
	}
	// Each execution took 3 ms, as its bucket has it.
	if l := f.Latency; l == nil || len(l.Count) != 1 || l.Count[0] != 38 || l.Upto[0] < 3*time.Millisecond || l.Upto[0] > 3030*time.Microsecond {
		t.Errorf("latency %+v", f.Latency)
	}
	if m := f.Memory; f.Wall <= 0 || m.PeakRSS < 1<<20 || m.Virtual < m.RSS || m.Threads < 3 || m.PageTables == 0 {
		t.Errorf("wall %v, memory %+v", f.Wall, m)
	}
}

func TestRunJobRefusesChangedInput(t *testing.T) {
	for _, change := range []func(*JobSpec){
		func(s *JobSpec) { s.CorpusDigest = "other" },
		func(s *JobSpec) { s.RulesDigest = "other" },
	} {
		spec := fakeSpec()
		change(&spec)
		if f, err := RunJob(t.Context(), spec, fakeEnv(1), Events{}); f != nil || err == nil {
			t.Errorf("%+v: %v, %v", spec, f, err)
		}
	}
}

func TestRunJobErrors(t *testing.T) {
	no := errors.New("no")
	env := fakeEnv(1)
	env.NewParser = func() (Parser, error) { return nil, no }
	if _, err := RunJob(t.Context(), fakeSpec(), env, Events{}); !errors.Is(err, no) {
		t.Errorf("parser: %v", err)
	}
	env = fakeEnv(1)
	env.NewExecutor = func() (executor.Executor, error) { return nil, no }
	if _, err := RunJob(t.Context(), fakeSpec(), env, Events{}); !errors.Is(err, no) {
		t.Errorf("executor: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RunJob(ctx, fakeSpec(), fakeEnv(50), Events{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The digest depends on what was found, and on nothing else.
func TestDigest(t *testing.T) {
	digestOf := func(workers int, change func(*Env)) string {
		t.Helper()
		spec, env := fakeSpec(), fakeEnv(40)
		spec.Workers = workers
		if change != nil {
			change(&env)
		}
		f, err := RunJob(t.Context(), spec, env, Events{})
		if err != nil {
			t.Fatal(err)
		}
		return f.Findings
	}
	first := digestOf(1, nil)
	for _, workers := range []int{2, 7} {
		if got := digestOf(workers, nil); got != first {
			t.Errorf("%d workers change the digest", workers)
		}
	}
	if got := digestOf(2, func(e *Env) { // the files the other way round
		entry, read := e.Entry, e.Read
		e.Entry = func(i int) (executor.Language, string) { return entry(39 - i) }
		e.Read = func(i int, buf []byte) ([]byte, error) { return read(39-i, buf) }
	}); got != first {
		t.Error("the order of the files changes the digest")
	}
	if got := digestOf(2, func(e *Env) { // the rules the other way round
		e.Rules = map[executor.Language][]*executor.Rule{}
		for language, list := range fakeRules {
			e.Rules[language] = slices.Clone(list)
			slices.Reverse(e.Rules[language])
		}
	}); got != first {
		t.Error("the order of the rules changes the digest")
	}
	if got := digestOf(2, func(e *Env) { // one file of other length
		read := e.Read
		e.Read = func(i int, buf []byte) ([]byte, error) { return read(max(i, 1), buf) }
	}); got == first {
		t.Error("another finding leaves the digest")
	}
	if got := digestOf(2, func(e *Env) { // one file that cannot be read
		read := e.Read
		e.Read = func(i int, buf []byte) ([]byte, error) {
			if i == 7 {
				return nil, errors.New("gone")
			}
			return read(i, buf)
		}
	}); got == first {
		t.Error("a file that was not read leaves the digest")
	}
}

// The definition in full, computed by other means (sha256sum) over the lines
// that the comment on digest describes.
func TestDigestIsAsDefined(t *testing.T) {
	d := newDigest(map[executor.Language][]*executor.Rule{executor.JavaScript: {{Name: "b"}, {Name: `a"<`}}})
	rules := []*executor.Rule{{Name: "b"}, {Name: `a"<`}}
	d.add(&executor.FileResult{Path: "x.js", Language: executor.JavaScript, Results: []executor.PairResult{
		{Rule: rules[0], Result: executor.Result{Violations: []executor.Violation{{
			Start: executor.Position{Line: 1, Col: 2}, End: executor.Position{Line: 3, Col: 4}, Message: "m",
		}}}},
		{Rule: rules[1], Err: &executor.Error{Outcome: executor.Timeout}},
	}})
	const text = `["a\"\u003c","timeout",[]]` + "\n" +
		`["b","ok",[{"start":{"line":1,"col":2},"end":{"line":3,"col":4},"message":"m"}]]` + "\n"
	if string(d.text) != text {
		t.Errorf("lines\n%s\nwant\n%s", d.text, text)
	}
	const want = "b8f42484cf09021b154f46b96accc49ba84f3754be069102cd995a46c6c7c4c2"
	if got := d.sum(); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestFindings(t *testing.T) {
	spec := fakeSpec()
	spec.Findings = true
	var got []harness.Finding
	var pairs []harness.Pair
	_, err := RunJob(t.Context(), spec, fakeEnv(6), Events{Finding: func(p harness.Pair, f harness.Finding) {
		pairs, got = append(pairs, p), append(got, f)
	}})
	if err != nil {
		t.Fatal(err)
	}
	// Files 0 to 4 each have a failing pair, 1 and 3 a violation, 5 no parse.
	if len(got) != 8 {
		t.Fatalf("%d findings: %v", len(got), got)
	}
	if got[1].First != `1:2 "odd"` || got[1].Violations != 1 || pairs[1].Rule != "s/odd" || got[1].Digest == "" {
		t.Errorf("violation: %+v of %+v", got[1], pairs[1])
	}
	if last := got[7]; last.Outcome != "not parsed" || pairs[7] != (harness.Pair{Language: executor.JavaScript, Path: "f005.js"}) {
		t.Errorf("unparsed file: %+v of %+v", last, pairs[7])
	}
}
