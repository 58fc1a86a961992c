// Package ddsabench runs JavaScript rules over files inside V8, each execution
// under a time limit, in either of two ways: legacy starts a watchdog thread
// for every execution, ddsa keeps one watchdog thread per JavaScript runtime.
//
// This package is the one switch between them, for programs that embed the
// executors: the flag's decision goes in, an executor comes out.
//
//	evaluator := flags.New(flags.FromEnvironment())
//	decision := evaluator.Evaluate(repository)
//	ex, err := ddsabench.New(decision, executor.DefaultLimits())
//
// Rules are loaded by package rules, files parsed by package syntax; package
// executor says what an executor does.
package ddsabench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/internal/jsrt"
	"github.com/ddsabench/ddsabench/internal/unwatched"
	"github.com/ddsabench/ddsabench/internal/v8"
	"github.com/ddsabench/ddsabench/internal/watch"
	"github.com/ddsabench/ddsabench/legacy"
)

// New makes the executor that the decision names. It may be called from any
// goroutine; the executor must be closed. A decision that came of a wrong value
// makes legacy, as it says; whether to go on with that is the caller's choice.
func New(decision flags.Decision, limits executor.Limits) (executor.Executor, error) {
	switch decision.Value {
	case flags.DDSA:
		return ddsa.New(limits)
	case flags.Legacy:
		return legacy.New(limits)
	}
	return nil, fmt.Errorf("ddsabench: no executor for the flag's value %q; use an Evaluator of package flags", decision.Value)
}

// None is the arm that nobody watches: a reference for calibration only. Its
// limits do not hold.
const None = "none"

var arms = []struct {
	name string
	make func(executor.Limits) (executor.Executor, error)
}{
	{legacy.Name, legacy.New},
	{ddsa.Name, ddsa.New},
	{None, newUnwatched},
}

// Arms are the names that NewArm knows.
func Arms() []string {
	names := make([]string, len(arms))
	for i, arm := range arms {
		names[i] = arm.name
	}
	return names
}

// CheckArm returns an error that names arm and the known ones if NewArm does
// not know it.
func CheckArm(arm string) error {
	if names := Arms(); !slices.Contains(names, arm) {
		return fmt.Errorf("unknown arm %q; known are %s", arm, strings.Join(names, ", "))
	}
	return nil
}

// NewArm makes the executor for one side of a comparison: legacy, ddsa or none.
func NewArm(arm string, limits executor.Limits) (executor.Executor, error) {
	for _, a := range arms {
		if a.name == arm {
			return a.make(limits)
		}
	}
	return nil, CheckArm(arm)
}

func newUnwatched(limits executor.Limits) (executor.Executor, error) {
	return jsrt.New(None, limits, func(*watch.Guard) (watch.Watchdog, error) { return unwatched.Watchdog{}, nil })
}

// V8Version is the version of the V8 in use.
func V8Version() string { return v8.Version() }
