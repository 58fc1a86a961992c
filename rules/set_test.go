package rules

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func TestFilter(t *testing.T) {
	sets := loadBuiltin(t)
	before := len(All(sets))
	kept := Filter(sets, func(r *Rule) bool { return r.Language == executor.JavaScript })
	if len(kept) != 1 || len(All(kept)) != 7 {
		t.Errorf("got %v, want the JavaScript set alone", ruleNames(kept))
	}
	if len(All(sets)) != before {
		t.Error("the sets given were changed")
	}
	if got := ByLanguage(kept, executor.TypeScript); len(got) != 0 {
		t.Errorf("%d TypeScript rules are left", len(got))
	}
	if ByLanguage(sets, executor.JavaScript)[0] != &kept[0].Rules[0].Rule {
		t.Error("the same rule has two identities")
	}
}

func TestFaultOfALoadedRule(t *testing.T) {
	r := &Rule{Rule: executor.Rule{Name: "s/r"}, File: "a.yaml", Line: 3}
	if got, want := r.Fault("no such node").Error(), "a.yaml:3:1: rule s/r: no such node"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
