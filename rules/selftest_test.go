package rules

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// counter is an executor that finds a violation for each x in a file, and fails
// on files that hold "loop".
type counter struct{ executor.Executor }

func (counter) Execute(_ context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	if strings.Contains(file.Text, "loop") {
		return executor.Result{}, &executor.Error{Outcome: executor.Timeout, Rule: rule.Name, File: file.Path}
	}
	return executor.Result{Violations: make([]executor.Violation, strings.Count(file.Text, "x"))}, nil
}

func TestRunningARulesTests(t *testing.T) {
	errParse := errors.New("cannot parse")
	parse := func(language executor.Language, path, text string) (*executor.File, error) {
		if text == "broken" {
			return nil, errParse
		}
		return &executor.File{Path: path, Language: language, Text: text}, nil
	}
	rule := &Rule{
		Rule: executor.Rule{Name: "s/r", Language: executor.JavaScript},
		Tests: []TestCase{
			{"a.js", "x x", 2}, {"b.js", "y", 0}, {"c.js", "x", 2}, {"d.js", "loop", 0}, {"e.js", "broken", 0},
		},
	}
	results := Test(context.Background(), counter{}, rule, parse)
	want := []struct {
		passed bool
		found  int
		err    error
	}{{true, 2, nil}, {true, 0, nil}, {false, 1, nil}, {false, 0, executor.ErrTimeout}, {false, 0, errParse}}
	if len(results) != len(want) {
		t.Fatalf("%d results", len(results))
	}
	for i, w := range want {
		r := results[i]
		if r.Rule != rule || r.Index != i || r.Want != rule.Tests[i].Violations {
			t.Errorf("test %d: result belongs to another test: %+v", i, r)
		}
		if r.Passed() != w.passed || r.Found != w.found || !errors.Is(r.Err, w.err) {
			t.Errorf("test %d: passed %v, found %d, %v", i, r.Passed(), r.Found, r.Err)
		}
	}
}
