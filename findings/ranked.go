package findings

import (
	"cmp"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A rank is a rule with its tally.
type rank struct {
	rule *executor.Rule
	Tally
}

// slow is the number of rules that a report shows for the time they took.
const slow = 5

// ranked are the slowest rules and all that failed, the slowest first.
func ranked(h *Head, t *Totals) []rank {
	var all []rank
	for _, r := range h.Rules {
		if y := t.Rule(&r.Rule); y.Executions > 0 || y.Timeouts+y.Errors > 0 {
			all = append(all, rank{&r.Rule, y})
		}
	}
	slices.SortStableFunc(all, func(a, b rank) int { return cmp.Compare(b.Time, a.Time) })
	kept := all[:0]
	for i, r := range all {
		if i < slow || r.Timeouts+r.Errors > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// round is a time with three digits that count.
func round(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
