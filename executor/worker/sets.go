//go:build linux

package worker

import (
	"slices"

	"github.com/ddsabench/ddsabench/executor"
)

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

// A numbered is the rules of a file with their numbers in a set.
type numbered struct {
	set     *ruleSet
	rules   []*executor.Rule
	numbers []uint32
}

// are reports whether these are the rules of all pairs. Files in a row mostly
// have the same ones, and looking each up costs more than its result.
func (n *numbered) are(pairs []executor.PairResult) bool {
	if len(n.rules) != len(pairs) {
		return false
	}
	for i, r := range n.rules {
		if pairs[i].Rule != r {
			return false
		}
	}
	return true
}

// setFor returns a set that has the rules of all pairs, and their numbers in it
// until the next call: a set that there is, or one in the place of the set that
// was not used for longest.
func (e *Executor) setFor(pairs []executor.PairResult) (*ruleSet, []uint32) {
	n := &e.last
	if n.set != nil && e.sets[n.set.number] == n.set && n.are(pairs) {
		return n.set, n.numbers
	}
	n.rules = n.rules[:0]
	for i := range pairs {
		n.rules = append(n.rules, pairs[i].Rule)
	}
	oldest := 0
	for i, s := range e.sets {
		if n.in(s) {
			return s, n.numbers
		}
		if oldest == 0 || s.used < e.sets[oldest].used {
			oldest = i // but not the first
		}
	}
	if len(e.sets) < maxSets {
		oldest = len(e.sets)
		e.sets = append(e.sets, nil)
	}
	e.sets[oldest] = newRuleSet(oldest, slices.Clone(n.rules))
	n.in(e.sets[oldest])
	return n.set, n.numbers
}

// in numbers the rules in s, if it has them all.
func (n *numbered) in(s *ruleSet) bool {
	n.set, n.numbers = nil, n.numbers[:0]
	for _, r := range n.rules {
		number, ok := s.index[r]
		if !ok {
			return false
		}
		n.numbers = append(n.numbers, number)
	}
	n.set = s
	return true
}
