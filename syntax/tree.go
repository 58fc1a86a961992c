package syntax

// #include "document.h"
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

// A tree is the executor.Tree of one file.
type tree struct {
	parser     *Parser
	generation uint64
	file       *executor.File
	// language is nil if the set has no rule of the file's language.
	language *language
	// shared says that the shared pass has found the matches of all rules.
	shared bool
}

// Matches implements executor.Tree. A rule of another language has no matches;
// a rule that is not of the set is an error. An error is executor.ErrTimeout,
// ErrTooManyMatches or ErrStale, or a fault of the caller's.
func (t *tree) Matches(er *executor.Rule, left time.Duration) (executor.Matches, error) {
	p := t.parser
	if t.generation != p.generation {
		return executor.Matches{}, fmt.Errorf("syntax: %s: %w", t.file.Path, ErrStale)
	}
	r := p.set.rules[er]
	if r == nil {
		return executor.Matches{}, fmt.Errorf("syntax: rule %s is not in the parser's set", er.Name)
	}
	m := executor.Matches{
		Names:     r.scan.names,
		Navigator: executor.Navigator{Func: unsafe.Pointer(C.syn_navigate), Data: unsafe.Pointer(p.c)},
	}
	switch {
	case r.Language != t.file.Language:
	case t.shared:
		p.spans[r.index].fill(&m, &p.collector)
	default:
		err := t.own(r, left, &m)
		return m, err
	}
	return m, nil
}

// own runs the rule's own query.
func (t *tree) own(r *rule, left time.Duration, m *executor.Matches) error {
	p := t.parser
	query, fault := r.query()
	if fault != nil {
		return fault
	}
	start := time.Now()
	var deadline time.Time
	if left != 0 {
		deadline = start.Add(left)
	}
	C.syn_forget_matches(p.c)
	status := C.int32_t(C.SYN_EXPIRED)
	if left >= 0 {
		status = C.syn_match_query(p.c, query, C.uint32_t(r.base), C.int64_t(left))
	}
	if status == C.SYN_OK {
		found, ok := p.collectOne(p.c, t.language, t.file.Text, deadline)
		if ok {
			found.fill(m, &p.collector)
		} else {
			status = C.SYN_EXPIRED
		}
	}
	m.Took = time.Since(start)
	switch status {
	case C.SYN_OK:
		return nil
	case C.SYN_EXPIRED:
		return fmt.Errorf("syntax: %s: query of rule %s: %w after %v", t.file.Path, r.Name, executor.ErrTimeout, m.Took)
	}
	return fmt.Errorf("syntax: %s: query of rule %s: %w", t.file.Path, r.Name, ErrTooManyMatches)
}
