package shadow

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// found is a result that ended well.
func found(violations ...executor.Violation) executor.PairResult {
	return executor.PairResult{Rule: rule, Result: executor.Result{Entered: true, Violations: violations, Elapsed: time.Second}}
}

func ended(o executor.Outcome, detail string) executor.PairResult {
	return executor.PairResult{Rule: rule, Err: &executor.Error{Outcome: o, Rule: rule.Name, Detail: detail}}
}

func at(line int, message string, fixes ...executor.Fix) executor.Violation {
	return executor.Violation{
		Start: executor.Position{Line: line, Col: 1}, End: executor.Position{Line: line, Col: 5}, Message: message, Fixes: fixes,
	}
}

func add(text string) executor.Fix {
	return executor.Fix{Edits: []executor.Edit{{Kind: "ADD", Content: &text}}}
}

var rule = &executor.Rule{Name: "set/rule"}

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		name            string
		answered, again executor.PairResult
		kind            Kind
		verdict         verdict
		difference      string
	}{
		{"nothing", found(), found(), 0, same, ""},
		{"the same", found(at(1, "a", add("x"))), found(at(1, "a", add("x"))), 0, same, ""},
		{"no fixes in two ways", found(at(1, "a")), found(at(1, "a", []executor.Fix{}...)), 0, same, ""},
		{"the same error, in other words", ended(executor.Script, "a"), ended(executor.Script, "b"), 0, same, ""},
		{"both out of time", ended(executor.Timeout, ""), ended(executor.Timeout, ""), 0, same, ""},
		{"other times and lines printed", found(), executor.PairResult{Result: executor.Result{Output: "x"}}, 0, same, ""},

		{"one less", found(at(1, "a"), at(2, "b")), found(at(1, "a")), Violations, different, "violation 2: 2:1-2:5, 1 bytes, 0 fixes against none"},
		{"one more", found(), found(at(1, "a")), Violations, different, "violation 1: none against 1:1-1:5, 1 bytes, 0 fixes"},
		{"another place", found(at(1, "a")), found(at(2, "a")), Violations, different, "violation 1: 1:1-1:5, 1 bytes, 0 fixes against 2:1-2:5, 1 bytes, 0 fixes"},
		{"another order", found(at(1, "a"), at(2, "a")), found(at(2, "a"), at(1, "a")), Violations, different, "violation 1"},
		{"another message", found(at(1, "a")), found(at(1, "b")), Violations, different, "violation 1"},
		{"another fix", found(at(1, "a", add("x"))), found(at(1, "a", add("y"))), Violations, different, "violation 1"},
		{"no fix", found(at(1, "a", add("x"))), found(at(1, "a")), Violations, different, "1 fixes against 1:1-1:5, 1 bytes, 0 fixes"},

		{"threw", found(at(1, "a")), ended(executor.Script, ""), Outcome, different, "ok against script error"},
		{"memory", ended(executor.Memory, ""), found(), Outcome, different, "memory against ok"},
		{"a fault of ours", found(), executor.PairResult{Err: errors.New("x")}, Outcome, different, "ok against internal error"},
		{"out of time", found(), ended(executor.Timeout, ""), Timeout, different, "ok against timeout"},
		{"out of time before", ended(executor.Timeout, ""), ended(executor.Script, ""), Timeout, different, "timeout against script error"},
		{"no watchdog", found(), ended(executor.NoWatchdog, ""), Failed, different, "ok against watchdog not started"},

		{"cancelled", ended(executor.Cancelled, ""), found(), 0, notComparable, ""},
		{"closed", found(), ended(executor.Closed, ""), 0, notComparable, ""},
		{"busy", ended(executor.Busy, ""), ended(executor.Timeout, ""), 0, notComparable, ""},
		{"never began", ended(executor.NoWatchdog, ""), found(), 0, notComparable, ""},
	} {
		kind, verdict := differ(c.answered, c.again)
		if kind != c.kind || verdict != c.verdict {
			t.Errorf("%s: got %v, %d; want %v, %d", c.name, kind, verdict, c.kind, c.verdict)
		}
		if verdict == different {
			if d := difference(c.answered, c.again); !strings.Contains(d, c.difference) {
				t.Errorf("%s: difference %q; want %q", c.name, d, c.difference)
			}
		}
	}
}
