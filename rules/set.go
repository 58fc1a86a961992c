package rules

import "github.com/ddsabench/ddsabench/executor"

// A Set is a named group of rules, as a folder or file holds it.
type Set struct {
	Name             string
	ShortDescription string
	Description      string
	// Rules are in the order of the file, or of the folder's file names.
	Rules []*Rule
	// Skipped are rules that are sound as far as checked but cannot run here.
	Skipped []Skipped
}

func (s *Set) empty() bool { return len(s.Rules)+len(s.Skipped) == 0 }

// A Rule is a rule with what people want to know about it. It is immutable.
type Rule struct {
	executor.Rule
	// File and Line say where the rule was read from.
	File             string
	Line             int
	ShortDescription string
	Description      string
	CWE              string
	DocumentationURL string
	// Parameters describe the arguments that the rule understands.
	Parameters []Parameter
	Tests      []TestCase
}

// A Parameter describes an argument that a rule understands. Values come from
// elsewhere: executor.Rule.Arguments.
type Parameter struct {
	Name, Description string
}

// A TestCase is a piece of code and the number of violations that its rule
// must find in it.
type TestCase struct {
	Filename   string
	Code       string
	Violations int
}

// A Skipped names a rule that was left out, and why. It is not a fault.
type Skipped struct {
	File, Rule, Reason string
}

// Fault returns a fault of the rule found after loading, such as a query that
// does not compile.
func (r *Rule) Fault(problem string) *Fault {
	return &Fault{File: r.File, Rule: r.Name, Line: r.Line, Column: 1, Problem: problem}
}

// All returns the rules of all sets in order.
func All(sets []Set) []*Rule {
	var all []*Rule
	for _, s := range sets {
		all = append(all, s.Rules...)
	}
	return all
}

// ByLanguage returns the rules for one language in order, as executors and
// package syntax take them.
func ByLanguage(sets []Set, language executor.Language) []*executor.Rule {
	var found []*executor.Rule
	for _, r := range All(sets) {
		if r.Language == language {
			found = append(found, &r.Rule)
		}
	}
	return found
}

// Filter returns the sets with only the rules that keep says to keep. Sets left
// without a rule and without a skipped one are dropped; sets is not changed.
func Filter(sets []Set, keep func(*Rule) bool) []Set {
	var kept []Set
	for _, s := range sets {
		all := s.Rules
		s.Rules = nil
		for _, r := range all {
			if keep(r) {
				s.Rules = append(s.Rules, r)
			}
		}
		if !s.empty() {
			kept = append(kept, s)
		}
	}
	return kept
}
