package executortest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// show is what an execution found as text: the output, then a line for each
// violation and its fixes, or else the error's outcome and detail.
func show(res executor.Result, err error) string {
	var e *executor.Error
	if errors.As(err, &e) {
		return strings.TrimSuffix(fmt.Sprintf("%v: %s", e.Outcome, e.Detail), ": ")
	}
	if err != nil {
		return fmt.Sprintf("%T: %v", err, err)
	}
	var lines []string
	if res.Output != "" {
		lines = append(lines, res.Output)
	}
	for _, v := range res.Violations {
		lines = append(lines, fmt.Sprintf("%s-%s %s", at(v.Start), at(v.End), v.Message))
		for _, fix := range v.Fixes {
			line := "fix: " + fix.Description
			for _, e := range fix.Edits {
				line += " " + e.Kind + " " + at(e.Start)
				if e.End != nil {
					line += "-" + at(*e.End)
				}
				if e.Content != nil {
					line += fmt.Sprintf(" %q", *e.Content)
				}
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func at(p executor.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }
