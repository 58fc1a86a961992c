package rules

import (
	"context"

	"github.com/ddsabench/ddsabench/executor"
)

// A Parse makes a file for the executor that a rule is tested with, with the
// matches of a set that holds this rule.
type Parse func(language executor.Language, path, text string) (*executor.File, error)

// A TestResult is the outcome of one of a rule's own tests.
type TestResult struct {
	Rule *Rule
	// Index is the test's place in Rule.Tests.
	Index int
	// Want and Found count violations.
	Want, Found int
	// Err is why the rule did not run to its end: a failure to parse, or the
	// executor's error.
	Err error
}

// Passed says whether the rule ran and found the right number of violations.
func (r TestResult) Passed() bool { return r.Err == nil && r.Found == r.Want }

// Test runs a rule's tests in order, on the calling goroutine. ex must not be
// in use by another.
func Test(ctx context.Context, ex executor.Executor, rule *Rule, parse Parse) []TestResult {
	results := make([]TestResult, len(rule.Tests))
	for i, t := range rule.Tests {
		r := TestResult{Rule: rule, Index: i, Want: t.Violations}
		var file *executor.File
		if file, r.Err = parse(rule.Language, t.Filename, t.Code); r.Err == nil {
			var found executor.Result
			found, r.Err = ex.Execute(ctx, &rule.Rule, file)
			r.Found = len(found.Violations)
		}
		results[i] = r
	}
	return results
}
