package syntax

// #include "document.h"
import "C"

import (
	"fmt"
	"regexp"
	resyntax "regexp/syntax"
	"slices"
	"strings"
)

// Matching a regular expression cannot be interrupted. At worst it takes time in
// proportion to its instructions times the text's bytes, some 70 ns each.
// maxRegexp bounds the instructions; a text for which the product is over
// maxRegexpSteps counts as out of time.
const (
	maxRegexp      = 2_000
	maxRegexpSteps = 1 << 26
)

// A predicate is a condition on a match's captured text.
type predicate struct {
	capture uint32
	// One of these is set; other is a capture, compared pair by pair.
	re    *regexp.Regexp
	size  int // of re, in instructions
	texts []string
	other *uint32
	// negate turns each node's answer around. any wants one node to hold, else
	// all must.
	negate, any bool
}

// An argument of a predicate is a capture or a string.
type argument struct {
	isCapture bool
	capture   uint32
	text      string
}

// predicates compiles the predicates of a pattern. seen counts the predicates
// of r so far.
func (c *chunk) predicates(r *rule, pattern int, seen *int) ([]predicate, *QueryError) {
	var all []predicate
	var args []argument
	for _, step := range steps(c.query, pattern) {
		switch step._type {
		case C.TSQueryPredicateStepTypeCapture:
			args = append(args, argument{isCapture: true, capture: r.local(uint32(step.value_id))})
			continue
		case C.TSQueryPredicateStepTypeString:
			args = append(args, argument{text: stringValue(c.query, step.value_id)})
			continue
		}
		offset := 0
		if *seen < len(r.scan.predicates) {
			offset = r.scan.predicates[*seen]
		}
		*seen++
		name := args[0].text
		p, known, err := newPredicate(name, args[1:])
		switch {
		case err != nil:
			kind := BadPredicate
			if strings.HasSuffix(name, "match?") && len(args) == 3 && !args[2].isCapture {
				kind = BadRegexp
			}
			return nil, newQueryError(r.Rule, kind, offset, "#"+name+": "+err.Error())
		case known && p == nil: // #set!
		case known:
			all = append(all, *p)
		default:
			r.warnings = append(r.warnings, fmt.Sprintf(
				"rule %s: query, offset %d: unknown predicate #%s is ignored", r.Name, offset, name))
		}
		args = args[:0]
	}
	return all, nil
}

// newPredicate returns nil and true for a known predicate without effect.
func newPredicate(name string, args []argument) (p *predicate, known bool, err error) {
	if name == "set!" {
		return nil, true, nil
	}
	p = &predicate{}
	kind, ok := strings.CutPrefix(name, "any-")
	if ok && kind != "of?" {
		p.any = true
	} else {
		kind = name
	}
	kind, p.negate = strings.CutPrefix(kind, "not-")
	switch {
	case kind == "eq?", kind == "match?":
		err = p.binary(kind, args)
	case kind == "any-of?" && !p.any:
		err = p.anyOf(args)
	default:
		return nil, false, nil
	}
	return p, true, err
}

func (p *predicate) binary(kind string, args []argument) error {
	if len(args) != 2 {
		return fmt.Errorf("wants 2 arguments, got %d", len(args))
	}
	if !args[0].isCapture {
		return fmt.Errorf("first argument must be a capture, got %q", args[0].text)
	}
	p.capture = args[0].capture
	switch {
	case kind == "match?" && args[1].isCapture:
		return fmt.Errorf("second argument must be a string")
	case kind == "match?":
		re, size, err := compileRegexp(args[1].text)
		p.re, p.size = re, size
		return err
	case args[1].isCapture:
		other := args[1].capture
		p.other = &other
	default:
		p.texts = []string{args[1].text}
	}
	return nil
}

func (p *predicate) anyOf(args []argument) error {
	if len(args) == 0 || !args[0].isCapture {
		return fmt.Errorf("first argument must be a capture")
	}
	p.capture = args[0].capture
	p.texts = []string{}
	for _, a := range args[1:] {
		if a.isCapture {
			return fmt.Errorf("all arguments but the first must be strings")
		}
		p.texts = append(p.texts, a.text)
	}
	return nil
}

func compileRegexp(pattern string) (re *regexp.Regexp, size int, err error) {
	parsed, err := resyntax.Parse(pattern, resyntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	prog, err := resyntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, 0, err
	}
	if len(prog.Inst) > maxRegexp {
		return nil, 0, fmt.Errorf("too large: %d instructions, at most %d", len(prog.Inst), maxRegexp)
	}
	re, err = regexp.Compile(pattern)
	return re, len(prog.Inst), err
}

// holds evaluates p for a match, whose captures have the rule's own numbers.
func (p *predicate) holds(m []C.syn_capture, d *document) bool {
	if p.other != nil {
		return p.pairs(m, d)
	}
	for _, c := range m {
		if uint32(c.name) != p.capture {
			continue
		}
		if p.test(d.text(c.node), d) != p.negate {
			if p.any {
				return true
			}
		} else if !p.any {
			return false
		}
	}
	return !p.any
}

func (p *predicate) test(text string, d *document) bool {
	if p.re != nil {
		return d.affords(len(text)*p.size) && p.re.MatchString(text)
	}
	return slices.Contains(p.texts, text)
}

// pairs compares the first node of one capture with the first of the other, and
// so on. The plain form wants equally many of both.
func (p *predicate) pairs(m []C.syn_capture, d *document) bool {
	i, j := 0, 0
	for {
		i, j = nextOf(m, i, p.capture), nextOf(m, j, *p.other)
		if i == len(m) || j == len(m) {
			return !p.any && i == j
		}
		if (d.text(m[i].node) == d.text(m[j].node)) != p.negate {
			if p.any {
				return true
			}
		} else if !p.any {
			return false
		}
		i, j = i+1, j+1
	}
}

func nextOf(m []C.syn_capture, from int, capture uint32) int {
	for from < len(m) && uint32(m[from].name) != capture {
		from++
	}
	return from
}
