package syntax

// #include "document.h"
import "C"

import (
	"slices"
	"strings"
)

// Bounds of one chunk, below those at which tree-sitter's 16-bit indices
// overflow: the error would then blame another rule.
const (
	maxPatterns   = 1000
	maxChunkSteps = maxSteps
)

// A chunk is the patterns of several rules of one language, compiled as one
// query. It is immutable and shared by all parsers.
type chunk struct {
	rules []*rule
	query *C.TSQuery
	// base is the number of its first pattern among its language's.
	base int
	// patterns in the query's order.
	patterns []pattern
}

// A pattern belongs to a rule and has predicates, which name captures by the
// rule's own numbers.
type pattern struct {
	rule       *rule
	predicates []predicate
}

// split groups rules into chunks. A rule whose text does not stand for itself
// gets a chunk of its own.
func split(rules []*rule) []*chunk {
	var chunks []*chunk
	var last *chunk
	patterns, steps := 0, 0
	for _, r := range rules {
		n := r.scan.patterns
		if last == nil || !r.scan.alone || !last.rules[0].scan.alone ||
			patterns+n > maxPatterns || steps+r.scan.steps > maxChunkSteps {
			last = &chunk{}
			chunks = append(chunks, last)
			patterns, steps = 0, 0
		}
		last.rules = append(last.rules, r)
		patterns += n
		steps += r.scan.steps
	}
	return chunks
}

// compile compiles the chunk. If that fails, each rule is compiled alone, to
// find all broken ones and their places.
func (c *chunk) compile() QueryErrors {
	var b strings.Builder
	starts := make([]int, len(c.rules))
	for i, r := range c.rules {
		starts[i] = b.Len()
		b.WriteString(r.Query)
		b.WriteByte('\n')
	}
	query, offset, fault := compileQuery(c.rules[0].language, b.String())
	switch {
	case query != nil:
		c.query = query
		return c.resolve(starts)
	case len(c.rules) == 1:
		return QueryErrors{c.rules[0].fault(offset, fault)}
	}
	var errs QueryErrors
	for _, r := range c.rules {
		alone := &chunk{rules: []*rule{r}}
		errs = append(errs, alone.compile()...)
		alone.close()
	}
	if errs == nil { // Rules that are alone do not break each other, as far as we know.
		r := c.rules[max(0, upper(starts, offset)-1)]
		errs = append(errs, r.fault(0, fault))
	}
	return errs
}

// resolve finds each pattern's rule and predicates, and each rule's captures.
func (c *chunk) resolve(starts []int) QueryErrors {
	var errs QueryErrors
	ids := map[string]uint32{}
	for id := range C.ts_query_capture_count(c.query) {
		ids[captureName(c.query, id)] = uint32(id)
	}
	for _, r := range c.rules {
		r.number(ids)
	}
	seen := make([]int, len(c.rules)) // predicates of each rule so far
	broken := make([]bool, len(c.rules))
	for i := range int(C.ts_query_pattern_count(c.query)) {
		start := C.ts_query_start_byte_for_pattern(c.query, C.uint32_t(i))
		n := upper(starts, int(start)) - 1
		predicates, err := c.predicates(c.rules[n], i, &seen[n])
		if err != nil && !broken[n] {
			broken[n] = true
			errs = append(errs, err)
		}
		c.patterns = append(c.patterns, pattern{c.rules[n], predicates})
	}
	return errs
}

// number fills r.ids from the chunk's capture numbers.
func (r *rule) number(ids map[string]uint32) {
	type pair struct{ id, local uint32 }
	pairs := make([]pair, len(r.scan.names))
	r.ids, r.order = nil, nil
	for i, name := range r.scan.names {
		pairs[i] = pair{ids[name], uint32(i)}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(a.id) - int(b.id) })
	for _, p := range pairs {
		r.ids = append(r.ids, p.id)
		r.order = append(r.order, p.local)
	}
}

func (c *chunk) close() {
	if c.query != nil {
		C.ts_query_delete(c.query)
		c.query = nil
	}
}

// upper returns how many of the ascending numbers are at most x.
func upper(numbers []int, x int) int {
	i, _ := slices.BinarySearch(numbers, x+1)
	return i
}
