package main

import (
	"errors"
	"strings"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/arm"
)

// parseArms reads a list of arms and writes each in the one way of writing it.
func parseArms(list string) (arms []string, err error) {
	for text := range strings.SplitSeq(list, ",") {
		a, bad := arm.Parse(strings.TrimSpace(text))
		if bad == nil {
			bad = ddsabench.CheckArm(a.Executor)
		}
		arms, err = append(arms, a.String()), errors.Join(err, bad)
	}
	return arms, err
}

// withItself is an arm, and itself under another name.
func withItself(name string) ([]string, error) {
	a, err := arm.Parse(name)
	if err != nil {
		return nil, err
	}
	return []string{a.String(), a.Twin().String()}, nil
}

// newArm makes one executor of an arm for the workload, with all that the arm's
// modifiers add. What it starts below this process is in a sample's figures, and
// has ended when it is closed.
func (l *workload) newArm(a arm.Arm, limits executor.Limits) (executor.Executor, error) {
	ex, err := l.isolated(a.Executor, limits)
	if err != nil {
		return nil, err
	}
	return a.Wrap(ex), nil
}
