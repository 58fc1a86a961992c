package findings

import (
	"errors"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Totals are the sums over an analysis. The zero value is ready; it belongs to
// one goroutine.
type Totals struct {
	// Files counts the files that came, Unparsed those of them that were not
	// analyzed.
	Files, Unparsed int
	// Tally is over all rules.
	Tally
	// Suppressed counts the violations that comments in files took out.
	Suppressed int
	// WatchdogsStarted is the number of OS threads made to watch.
	WatchdogsStarted uint64
	// Elapsed is the time of the whole analysis.
	Elapsed time.Duration

	severities map[executor.Severity]int
	rules      map[*executor.Rule]*Tally
}

// A Tally counts what became of pairs.
type Tally struct {
	Pairs, Executions, Visits, Violations, Timeouts, Errors int
	// Time is the sum over all executions, Slowest the longest one, on
	// SlowestPath.
	Time, Slowest time.Duration
	SlowestPath   string
}

// Add adds one file's results.
func (t *Totals) Add(f *executor.FileResult) {
	if t.rules == nil {
		t.severities, t.rules = map[executor.Severity]int{}, map[*executor.Rule]*Tally{}
	}
	t.Files++
	if f.Err != nil {
		t.Unparsed++
	}
	for i := range f.Results {
		p := &f.Results[i]
		r := t.rules[p.Rule]
		if r == nil {
			r = &Tally{}
			t.rules[p.Rule] = r
		}
		r.add(f.Path, p)
		t.add(f.Path, p)
		t.severities[p.Rule.Severity] += len(p.Result.Violations)
	}
}

func (t *Tally) add(path string, p *executor.PairResult) {
	t.Pairs++
	t.Visits += p.Result.Visits
	t.Violations += len(p.Result.Violations)
	if p.Result.Entered {
		t.Executions++
	}
	switch {
	case errors.Is(p.Err, executor.ErrTimeout):
		t.Timeouts++
	case p.Err != nil:
		t.Errors++
	}
	took := p.Result.Elapsed
	var e *executor.Error
	if errors.As(p.Err, &e) {
		took = max(took, e.Elapsed)
	}
	t.Time += took
	if took > t.Slowest {
		t.Slowest, t.SlowestPath = took, path
	}
}

// Rule returns one rule's tally.
func (t *Totals) Rule(r *executor.Rule) Tally {
	if tally := t.rules[r]; tally != nil {
		return *tally
	}
	return Tally{}
}

// AtLeast counts the violations of a severity, in any case, and of all graver
// ones. Of another word, such as never, there are none.
func (t *Totals) AtLeast(severity string) int {
	n := 0
	for _, s := range []executor.Severity{
		executor.SeverityError, executor.SeverityWarning, executor.SeverityNotice, executor.SeverityNone,
	} {
		n += t.severities[s]
		if strings.EqualFold(string(s), severity) {
			return n
		}
	}
	return 0
}
