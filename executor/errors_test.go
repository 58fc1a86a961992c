package executor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	. "github.com/ddsabench/ddsabench/executor"
)

// Each outcome matches its own error value and no other one's.
func TestErrorIs(t *testing.T) {
	targets := map[Outcome]error{
		Timeout: ErrTimeout, Memory: ErrMemory, Script: ErrScript, Cancelled: ErrCancelled,
		Closed: ErrClosed, Busy: ErrBusy, NoWatchdog: ErrNoWatchdog, Internal: ErrInternal,
		Crashed: ErrCrashed, Hung: ErrHung,
	}
	if len(targets) != OutcomeCount-1 {
		t.Errorf("%d error values for %d outcomes that are not OK", len(targets), OutcomeCount-1)
	}
	for outcome := range Outcome(OutcomeCount) {
		err := fmt.Errorf("in a job: %w", &Error{Outcome: outcome, Rule: "r", File: "f"})
		for other, target := range targets {
			if got := errors.Is(err, target); got != (outcome == other) {
				t.Errorf("an error of outcome %q is %q: %v", outcome, target, got)
			}
		}
		if got := errors.Is(err, context.DeadlineExceeded); got != (outcome == Timeout) {
			t.Errorf("an error of outcome %q is context.DeadlineExceeded: %v", outcome, got)
		}
	}
}

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err  Error
		want string
	}{
		{
			Error{Outcome: Timeout, Rule: "js/no-var", File: "a.js", Limit: 2 * time.Second, Elapsed: 2000123456},
			"rule js/no-var on a.js: timeout after 2.000123s (limit 2s)",
		},
		{
			Error{Outcome: Memory, Rule: "r", File: "f", HeapLimit: 512 << 20},
			"rule r on f: memory: heap limit 512 MiB",
		},
		{
			Error{Outcome: Script, Rule: "r", File: "f", Detail: "TypeError: x is not a function"},
			"rule r on f: script error: TypeError: x is not a function",
		},
		{
			Error{Outcome: Cancelled, Rule: "r", File: "f", Err: context.Canceled},
			"rule r on f: cancelled: context canceled",
		},
		{Error{Outcome: NoWatchdog, Rule: "r", File: "f", Err: io.EOF}, "rule r on f: watchdog not started: EOF"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if err := (&Error{Outcome: Cancelled, Err: context.Canceled}); !errors.Is(err, context.Canceled) {
		t.Error("an error does not unwrap to its cause")
	}
}

func TestOutcomeString(t *testing.T) {
	seen := map[string]bool{}
	for o := range Outcome(OutcomeCount) {
		if s := o.String(); s == "" || seen[s] {
			t.Errorf("outcome %d is called %q", o, s)
		} else {
			seen[s] = true
		}
	}
	if got := Outcome(200).String(); !strings.Contains(got, "200") {
		t.Errorf("an unknown outcome is called %q", got)
	}
}

func TestLimitsCheck(t *testing.T) {
	if err := DefaultLimits().Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Limits){
		"timeout": func(l *Limits) { l.Timeout = -1 },
		"heap":    func(l *Limits) { l.Heap = 1 << 20 },
		"output":  func(l *Limits) { l.Output = 0 },
	} {
		l := DefaultLimits()
		change(&l)
		if err := l.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	l := DefaultLimits()
	l.Timeout = 0 // no limit
	if err := l.Check(); err != nil {
		t.Error(err)
	}
}

func TestStatsAdd(t *testing.T) {
	sum := Stats{Executions: 1, WatchdogsStarted: 2}
	other := Stats{Executions: 10, WatchdogsStarted: 20, WatchdogsEnded: 30}
	sum.Outcomes[Timeout], other.Outcomes[Timeout] = 1, 2
	sum.Add(other)
	want := Stats{Executions: 11, WatchdogsStarted: 22, WatchdogsEnded: 30}
	want.Outcomes[Timeout] = 3
	if sum != want {
		t.Errorf("got %+v, want %+v", sum, want)
	}
}
