package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// What --fail-on can ask for.
const (
	regression   = "regression"
	inconclusive = "inconclusive"
)

func failOnOption() cli.Flag {
	return &cli.GenericFlag{Name: "fail-on", Value: &words{}, Usage: "`WHAT` gives exit code 3 or 4: regression, inconclusive"}
}

// failOn are the values of --fail-on.
func failOn(c *cli.Context) []string { return *c.Generic("fail-on").(*words) }

// words is an option's value: a list with commas, or several options.
type words []string

// Set implements cli.Generic.
func (w *words) Set(text string) error {
	*w = append(*w, strings.Split(text, ",")...)
	return nil
}

// Get implements flag.Getter, without which the library cannot show the value.
func (w *words) Get() any { return w }

// String implements cli.Generic.
func (w *words) String() string { return strings.Join(*w, ",") }

func checkFailOn(c *cli.Context) error {
	for _, what := range failOn(c) {
		if what != regression && what != inconclusive {
			return usagef("--fail-on %q is unknown; known are %s, %s", what, regression, inconclusive)
		}
	}
	return nil
}

// outcome gives what came of a comparison its exit code: how it ended goes
// before what --fail-on asks for. The report has said it.
func outcome(s *compare.Summary, failOn []string) error {
	err := s.Err()
	switch {
	case errors.Is(err, compare.ErrFindingsDiffer):
		return &exitError{exitFindings, err}
	case errors.Is(err, compare.ErrInterrupted):
		return &exitError{exitInterrupted, context.Canceled}
	case err != nil:
		return err
	}
	return judged(failOn, s)
}

// pastOutcome is the outcome of comparisons that ended long ago. One that was
// not complete is only inconclusive now.
func pastOutcome(failOn []string, list ...*compare.Summary) error {
	for _, s := range list {
		if err := s.Err(); errors.Is(err, compare.ErrFindingsDiffer) {
			return &exitError{exitFindings, err}
		}
	}
	return judged(failOn, list...)
}

// judged is what --fail-on makes of comparisons, a regression first.
func judged(failOn []string, list ...*compare.Summary) error {
	for _, kind := range []struct {
		name string
		code int
		is   func(*compare.Summary) bool
	}{
		{regression, exitRegression, (*compare.Summary).Regression},
		{inconclusive, exitOpen, (*compare.Summary).Inconclusive},
	} {
		if i := slices.IndexFunc(list, kind.is); i >= 0 && slices.Contains(failOn, kind.name) {
			return &exitError{kind.code, fmt.Errorf("%s: %s", kind.name, strings.Join(list[i].Header.Arms, " and "))}
		}
	}
	return nil
}
