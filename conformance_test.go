package ddsabench_test

import (
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/syntax"
)

const conformanceDir = "rules/testdata/conformance"

// watched are the arms that rules are meant to run on.
var watched = []string{"legacy", "ddsa"}

func newArm(t testing.TB, name string) executor.Executor {
	t.Helper()
	limits := executor.DefaultLimits()
	limits.Timeout = time.Minute // slow machines and race detectors are no fault of a rule
	ex, err := ddsabench.NewArm(name, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ex.Close(); err != nil {
			t.Error(err)
		}
	})
	return ex
}

// newParser makes a parser for the rules, closed at the test's end.
func newParser(t testing.TB, all []*executor.Rule) *syntax.Parser {
	t.Helper()
	set, err := syntax.Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	p := set.NewParser(patient())
	t.Cleanup(func() {
		p.Close()
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func patient() syntax.Options {
	o := syntax.DefaultOptions()
	o.ParseTimeout, o.PassBudget = time.Minute, time.Minute
	return o
}

// The conformance set: rules that look at the API from inside, on parsed files.
func TestConformance(t *testing.T) {
	sets, err := rules.Load(conformanceDir, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []*executor.Rule
	for _, r := range rules.All(sets) {
		all = append(all, &r.Rule)
	}
	p := newParser(t, all)
	parse := func(language executor.Language, path, text string) (*executor.File, error) {
		return p.Parse(path, language, text)
	}
	for _, arm := range watched {
		ex := newArm(t, arm)
		for _, r := range rules.All(sets) {
			t.Run(arm+"/"+r.Name, func(t *testing.T) {
				for _, result := range rules.Test(t.Context(), ex, r, parse) {
					if !result.Passed() {
						t.Errorf("%s: %d checks hold, want %d (%v)", r.Tests[result.Index].Filename, result.Found, result.Want, result.Err)
					}
				}
				if len(r.Tests) == 0 {
					t.Error("a rule without tests shows nothing")
				}
			})
		}
	}
}
