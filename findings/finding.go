package findings

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// What a finding is, besides the outcomes of executions that went wrong.
const (
	violation   = "violation"
	notAnalyzed = "not analyzed"
)

// A finding is one line of a form that is a list.
type finding struct {
	path     string
	language executor.Language
	rule     *executor.Rule // nil: the file was not analyzed
	kind     string
	// found is the violation, nil if something went wrong.
	found *executor.Violation
	// text is the violation's message, or says what went wrong.
	text string
}

// list gives a file's findings in order.
func list(f *executor.FileResult) iter.Seq[finding] {
	return func(yield func(finding) bool) {
		base := finding{path: f.Path, language: f.Language}
		if f.Err != nil {
			base.kind, base.text = notAnalyzed, f.Err.Error()
			yield(base)
			return
		}
		for i := range f.Results {
			p := &f.Results[i]
			one := base
			one.rule = p.Rule
			for j := range p.Result.Violations {
				v := &p.Result.Violations[j]
				one.kind, one.found, one.text = violation, v, v.Message
				if !yield(one) {
					return
				}
			}
			if p.Err != nil {
				one.kind, one.found, one.text = outcome(p.Err).String(), nil, problem(p.Err)
				if !yield(one) {
					return
				}
			}
		}
	}
}

func outcome(err error) executor.Outcome {
	var e *executor.Error
	if errors.As(err, &e) {
		return e.Outcome
	}
	return executor.Internal
}

// problem says what went wrong without naming the pair and without a time that
// was measured, so that two runs say the same.
func problem(err error) string {
	var e *executor.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	var parts []string
	switch e.Outcome {
	case executor.Timeout:
		parts = append(parts, fmt.Sprintf("limit %v", e.Limit))
	case executor.Memory:
		parts = append(parts, fmt.Sprintf("heap limit %d MiB", e.HeapLimit>>20))
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	if e.Err != nil && e.Outcome != executor.Timeout { // a timeout's cause may hold a time
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}
