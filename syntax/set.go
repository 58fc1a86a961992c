package syntax

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ddsabench/ddsabench/executor"
)

// A Set is the compiled queries of a set of rules. It is immutable, and may be
// used by any number of goroutines.
type Set struct {
	rules     map[*executor.Rule]*rule
	languages map[executor.Language]*language
	warnings  []string
	parsers   atomic.Int64 // not closed yet
	closed    atomic.Bool
}

// A language is the rules of one language and their patterns, both in order.
type language struct {
	rules    []*rule
	chunks   []*chunk
	patterns []pattern
}

// Compile compiles the queries of rules. If some are broken it returns
// QueryErrors, with one error for each broken rule, and no set: a caller that
// wants the others calls it again with those. A set takes about 1 ms a pattern
// to compile, on all processors.
func Compile(rules []*executor.Rule) (*Set, error) {
	s := &Set{
		rules:     map[*executor.Rule]*rule{},
		languages: map[executor.Language]*language{},
	}
	var errs QueryErrors
	for _, r := range rules {
		if s.rules[r] != nil {
			continue
		}
		compiled := &rule{
			Rule: r, position: len(s.rules), scan: scanQuery(r.Query), language: grammar(r.Language),
		}
		s.rules[r] = compiled
		if err := compiled.precheck(); err != nil {
			errs = append(errs, err)
			continue
		}
		l := s.languages[r.Language]
		if l == nil {
			l = &language{}
			s.languages[r.Language] = l
		}
		compiled.index = len(l.rules)
		l.rules = append(l.rules, compiled)
	}
	errs = append(errs, s.compile()...)
	if errs != nil {
		s.free()
		slices.SortStableFunc(errs, func(a, b *QueryError) int {
			return s.rules[a.Rule].position - s.rules[b.Rule].position
		})
		return nil, errs
	}
	s.number()
	return s, nil
}

// compile compiles all chunks, as many at a time as there are processors.
func (s *Set) compile() QueryErrors {
	var (
		wait sync.WaitGroup
		lock sync.Mutex
		errs QueryErrors
		free = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for _, l := range s.languages {
		l.chunks = split(l.rules)
		for _, c := range l.chunks {
			free <- struct{}{}
			wait.Go(func() {
				defer func() { <-free }()
				if broken := c.compile(); broken != nil {
					lock.Lock()
					defer lock.Unlock()
					errs = append(errs, broken...)
				}
			})
		}
	}
	wait.Wait()
	return errs
}

// number gives the patterns of each language their numbers, over all chunks.
func (s *Set) number() {
	for _, l := range s.languages {
		for _, c := range l.chunks {
			c.base = len(l.patterns)
			l.patterns = append(l.patterns, c.patterns...)
		}
		for i := len(l.patterns) - 1; i >= 0; i-- {
			l.patterns[i].rule.base = i
		}
	}
	ordered := make([]*rule, len(s.rules))
	for _, r := range s.rules {
		ordered[r.position] = r
	}
	for _, r := range ordered {
		s.warnings = append(s.warnings, r.warnings...)
	}
}

// Warnings names what the queries have and this package ignores, in the rules'
// order.
func (s *Set) Warnings() []string { return slices.Clone(s.warnings) }

// Close frees the queries. Close the set's parsers first: while one is open,
// Close does nothing but return an error. Calling it twice is fine.
func (s *Set) Close() error {
	if n := s.parsers.Load(); n > 0 {
		return fmt.Errorf("syntax: closing a set that has %d open parsers", n)
	}
	if !s.closed.Swap(true) {
		s.free()
	}
	return nil
}

func (s *Set) free() {
	for _, l := range s.languages {
		for _, c := range l.chunks {
			c.close()
		}
	}
	for _, r := range s.rules {
		r.close()
	}
}
