// Package executortest checks executors: one behaviour suite, with real scripts,
// that every executor must pass (Run, Stress, Threads), and one for watchdogs
// alone, with a fake isolate and fake threads (Watchdog). The only files are
// made here, without a parser, so nothing here is about syntax.
package executortest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// New makes the executor under test.
type New func(executor.Limits) (executor.Executor, error)

// Run checks what every executor must hold, with real scripts. The executor
// must have a watchdog. Parts that cannot be so, such as "tree fails" where the
// tree is made elsewhere, are named in without.
func Run(t *testing.T, newExecutor New, without ...string) {
	for _, part := range []struct {
		name string
		run  func(*testing.T, New)
	}{
		{"api", api},
		{"callbacks", callbacks},
		{"times", times},
		{"limits", limits},
		{"errors", scriptErrors},
		{"timeout", timeouts},
		{"huge script", hugeScript},
		{"memory", memoryErrors},
		{"cancelled", cancelled},
		{"closed", closed},
		{"busy", busy},
		{"tree fails", treeFails},
		{"error values", errorValues},
		{"state", state},
		{"unnoticed state", unnoticed},
		{"escapes", escapes},
		{"any order", anyOrder},
		{"many rules", manyRules},
		{"many nodes", manyNodes},
		{"threads", threads},
		{"fast runs", fastRuns},
	} {
		if !slices.Contains(without, part.name) {
			t.Run(part.name, func(t *testing.T) { part.run(t, newExecutor) })
		}
	}
}

// A subject is an executor under test.
type subject struct {
	executor.Executor
	t testing.TB
}

// start makes an executor that is closed at the test's end. Its time limit is
// far away, unless change brings it near.
func start(t testing.TB, newExecutor New, change func(*executor.Limits)) *subject {
	t.Helper()
	limits := executor.DefaultLimits()
	limits.Timeout = time.Minute
	if change != nil {
		change(&limits)
	}
	e, err := newExecutor(limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &subject{e, t}
}

// rule makes a rule of a script, or of the body of its visit function.
func rule(code string) *executor.Rule {
	if !strings.Contains(code, "visit") {
		code = "function visit(match, filename, code) { " + code + " }"
	}
	return &executor.Rule{Name: "set/rule", Language: executor.JavaScript, Code: code}
}

// wellOn makes a rule that does what body says, but on files named good.js only
// prints "good".
func wellOn(body string) *executor.Rule {
	return rule(`function visit(match, filename, code) {
		if (filename == "good.js") return console.log("good");
		` + body + `
	}`)
}

// one is a file with one match and no captures.
func one(path string) *executor.File { return NewFile(path, "x", Match{}) }

// execute runs a rule with the test's context.
func (s *subject) execute(rule *executor.Rule, file *executor.File) (executor.Result, error) {
	return s.Execute(s.t.Context(), rule, file)
}

// wellBehaved is a rule that finds and prints something.
var wellBehaved = rule(`console.log("fine", match.get("a").text); addError(Violation.new("found", match.get("a")))`)

// wantRight checks that the executor is in order: rule, which was made by
// wellOn and may just have failed, and another rule give the right results.
func (s *subject) wantRight(rule *executor.Rule) {
	s.t.Helper()
	if rule != nil {
		s.wantShown(rule, one("good.js"), "good")
	}
	s.wantShown(wellBehaved, NewFile("next.js", "let ä = 1", Match{"a=ä"}), "fine ä\n1:5-1:6 found")
}

// wantShown runs rule until it is not late and compares what it found. A run
// may be late, when its time limit is near and the machine is busy: a timeout
// is wrong only before the limit.
func (s *subject) wantShown(rule *executor.Rule, file *executor.File, want string) {
	s.t.Helper()
	for {
		res, err := s.execute(rule, file)
		if !s.late(err) {
			if got := show(res, err); got != want {
				s.t.Errorf("%s: got\n%s\nwant\n%s", file.Path, got, want)
			}
			return
		}
	}
}

// late reports whether err is a timeout, which must not be one before its time.
func (s *subject) late(err error) bool {
	s.t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Outcome != executor.Timeout {
		return false
	}
	if e.Elapsed < e.Limit {
		s.t.Errorf("killed after %v under a limit of %v", e.Elapsed, e.Limit)
	}
	return true
}

// want checks an error's outcome and the first line of what V8 said.
func (s *subject) want(err error, outcome executor.Outcome, detail string) {
	s.t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Outcome != outcome {
		s.t.Errorf("error %v, want the outcome %q", err, outcome)
		return
	}
	if got, _, _ := strings.Cut(e.Detail, "\n"); detail != "" && got != detail {
		s.t.Errorf("detail %q, want %q", got, detail)
	}
}
