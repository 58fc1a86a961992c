//go:build linux

package worker

import "github.com/ddsabench/ddsabench/executor"

// maxSets bounds how many parsers a worker has.
const maxSets = 64

// A ruleSet is rules that share a parser in the worker. The first is
// Options.Rules; others are made for files that want other rules.
type ruleSet struct {
	number uint32
	rules  []*executor.Rule
	index  map[*executor.Rule]uint32 // in rules
	used   uint64                    // the last request
}

func newRuleSet(number int, rules []*executor.Rule) *ruleSet {
	s := &ruleSet{number: uint32(number), rules: rules, index: make(map[*executor.Rule]uint32, len(rules))}
	for i, r := range rules {
		s.index[r] = uint32(i)
	}
	return s
}

// setFor returns a set that has the rules of all pairs: one that there is, or one in the
// place of the set that was not used for longest.
func (e *Executor) setFor(pairs []executor.PairResult) *ruleSet {
	oldest := 0
	for i, s := range e.sets {
		if s.has(pairs) {
			return s
		}
		if oldest == 0 || s.used < e.sets[oldest].used {
			oldest = i // but not the first
		}
	}
	if len(e.sets) < maxSets {
		oldest = len(e.sets)
		e.sets = append(e.sets, nil)
	}
	rules := make([]*executor.Rule, len(pairs))
	for i := range pairs {
		rules[i] = pairs[i].Rule
	}
	e.sets[oldest] = newRuleSet(oldest, rules)
	return e.sets[oldest]
}

func (s *ruleSet) has(pairs []executor.PairResult) bool {
	for i := range pairs {
		if _, ok := s.index[pairs[i].Rule]; !ok {
			return false
		}
	}
	return true
}
