package shadow

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/ddsabench/ddsabench/executor"
)

// A verdict is what comparing one pair gave.
type verdict uint8

const (
	same verdict = iota
	different
	notComparable
)

// differ compares how the two sides of a pair ended, and what they found in
// which order: what the findings' digest of a comparison holds too. Times,
// error texts and printed lines do not count.
func differ(answered, again executor.PairResult) (Kind, verdict) {
	a, b := outcome(answered.Err), outcome(again.Err)
	switch {
	case outside(a) || a == executor.NoWatchdog || outside(b):
		return 0, notComparable
	case b == executor.NoWatchdog:
		return Failed, different
	case a != b && (a == executor.Timeout || b == executor.Timeout):
		return Timeout, different
	case a != b:
		return Outcome, different
	case a == executor.OK && firstDifference(answered, again) >= 0:
		return Violations, different
	}
	return 0, same
}

// outside says that the execution was stopped, or kept from beginning, by
// something that is neither the rule nor the executor.
func outside(o executor.Outcome) bool {
	return o == executor.Cancelled || o == executor.Closed || o == executor.Busy
}

func outcome(err error) executor.Outcome {
	var e *executor.Error
	switch {
	case err == nil:
		return executor.OK
	case errors.As(err, &e):
		return e.Outcome
	}
	return executor.Internal
}

// firstDifference is the index of the first violation that is not the same, or
// -1.
func firstDifference(answered, again executor.PairResult) int {
	a, b := answered.Result.Violations, again.Result.Violations
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !sameViolation(a[i], b[i]) {
			return i
		}
	}
	return -1
}

func sameViolation(a, b executor.Violation) bool {
	if a.Start != b.Start || a.End != b.End || a.Message != b.Message || len(a.Fixes) != len(b.Fixes) {
		return false
	}
	return len(a.Fixes) == 0 || reflect.DeepEqual(a.Fixes, b.Fixes)
}

// difference says where the two sides part, by positions only.
func difference(answered, again executor.PairResult) string {
	a, b := outcome(answered.Err), outcome(again.Err)
	if a != b {
		return fmt.Sprintf("%v against %v", a, b)
	}
	i := firstDifference(answered, again)
	return fmt.Sprintf("violation %d: %s against %s", i+1, place(answered, i), place(again, i))
}

func place(p executor.PairResult, i int) string {
	if i >= len(p.Result.Violations) {
		return "none"
	}
	v := p.Result.Violations[i]
	return fmt.Sprintf("%d:%d-%d:%d, %d bytes, %d fixes",
		v.Start.Line, v.Start.Col, v.End.Line, v.End.Col, len(v.Message), len(v.Fixes))
}

// side describes one of the two results. Detail is there in any case; a store
// that keeps no texts drops it.
func side(p executor.PairResult) Side {
	s := Side{Outcome: outcome(p.Err).String(), Violations: len(p.Result.Violations)}
	if p.Err != nil {
		s.Detail = p.Err.Error()
	} else if text, err := json.Marshal(p.Result.Violations); err == nil {
		s.Detail = string(text)
	}
	return s
}
