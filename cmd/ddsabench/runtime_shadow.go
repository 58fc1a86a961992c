package main

import (
	"fmt"
	"io"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/shadow"
)

// newShadow starts the comparison that the decision asks for; it is nil if that
// asks for none. Nobody waits for the answer of a file, so nothing is dropped.
func (a *analysis) newShadow() *shadow.Comparer {
	return ddsabench.NewShadow(a.decision, a.limits, shadow.Config{
		NewExecutor: func() (executor.Executor, error) {
			return a.isolated(string(a.decision.Value.Other()), a.limits)
		},
		Wait: true,
	})
}

// shadowed is job with the comparison.
func (a *analysis) shadowed(job executor.Job) executor.Job {
	return a.shadow.Job(job, a.decision.ShadowSample, func() shadow.Parser {
		return a.rules.queries.NewParser(a.parsing)
	})
}

// printShadow tells what the comparison gave: how much was compared, and the
// latest mismatches. What a mismatch is worth is not for this command to say,
// so that it changes no exit code.
func (a *analysis) printShadow(w io.Writer) {
	if a.shadow == nil {
		return
	}
	n := a.shadow.Counts()
	fmt.Fprintf(w, "compared with %s: %s, %s, %s\n", a.decision.Value.Other(),
		plural(int(n.Files), "file"), plural(int(n.Pairs), "pair"), mismatches(n))
	for _, m := range a.shadow.Mismatches() {
		where := plain(m.Path)
		if m.Rule != "" {
			where += ": " + plain(m.Rule)
		}
		fmt.Fprintf(w, "  %s: %s: %s\n", where, m.Kind, m.Difference)
	}
}

// mismatches is the number of mismatches, and of each kind that there are.
func mismatches(n shadow.Counts) string {
	text := fmt.Sprintf("%d mismatches", n.Total())
	if n.Total() == 1 {
		text = "1 mismatch"
	}
	sep := " ("
	for kind, count := range n.Mismatches {
		if count > 0 {
			text += fmt.Sprintf("%s%s %d", sep, shadow.Kind(kind), count)
			sep = ", "
		}
	}
	if n.Total() > 0 {
		text += ")"
	}
	return text
}
