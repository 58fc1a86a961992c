package syntax

// #include "document.h"
import "C"

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/ddsabench/ddsabench/executor"
)

// Options are the limits of a parser. Start from DefaultOptions.
type Options struct {
	// ParseTimeout bounds the parsing of one file; 0 means no limit.
	ParseTimeout time.Duration
	// PassBudget and PassBudgetPerKB, for each 1,000 bytes of text, bound the
	// pass that all rules share.
	PassBudget, PassBudgetPerKB time.Duration
	// Separate leaves the shared pass out: each rule always runs its own query.
	// The matches are the same.
	Separate bool
}

// DefaultOptions returns the limits in normal use.
func DefaultOptions() Options {
	return Options{
		ParseTimeout:    5 * time.Second,
		PassBudget:      100 * time.Millisecond,
		PassBudgetPerKB: time.Millisecond,
	}
}

// A Cost is what one file took before its rules ran.
type Cost struct {
	// Parse is the time of parsing, Pass that of the shared pass, predicates
	// included.
	Parse, Pass time.Duration
	// Fallback says that the shared pass was given up or left out.
	Fallback bool
}

// A Parser parses files one after the other and finds the matches of its set's
// rules. It belongs to one goroutine at a time. It holds memory of C, so it
// must be closed.
type Parser struct {
	set     *Set
	options Options
	c       *C.syn_document
	cost    Cost
	// generation changes when the current tree ends.
	generation uint64
	collector
}

// NewParser returns a parser. It panics if the set is closed.
func (s *Set) NewParser(o Options) *Parser {
	if s.closed.Load() {
		panic("syntax: NewParser on a closed set")
	}
	c := C.syn_new()
	if c == nil {
		panic("syntax: no memory for a parser")
	}
	s.parsers.Add(1)
	return &Parser{set: s, options: o, c: c}
}

// Close frees the parser and ends its last tree. Calling it twice is fine.
func (p *Parser) Close() error {
	if p.c != nil {
		p.generation++
		C.syn_delete(p.c)
		p.c = nil
		p.set.parsers.Add(-1)
	}
	return nil
}

// Parse parses text, in which invalid UTF-8 is replaced as Decode does, and
// runs the shared pass. The file's tree, and the navigators it gives out, are
// valid until the next call of Parse or Close. A file that takes too long is
// ErrParseTimeout; one that nests too deep is ErrTooDeep. Text with syntax
// errors is no error: the tree has nodes of the kind ERROR.
func (p *Parser) Parse(path string, lang executor.Language, source string) (*executor.File, error) {
	p.cost = Cost{}
	g := grammar(lang)
	switch {
	case p.c == nil:
		return nil, fmt.Errorf("syntax: %s: the parser is closed", path)
	case g == nil:
		return nil, fmt.Errorf("syntax: %s: language %q cannot be parsed", path, lang)
	case len(source) > math.MaxInt32/2:
		return nil, fmt.Errorf("syntax: %s: %d bytes are too large to parse", path, len(source))
	}
	if !utf8.ValidString(source) {
		source = Decode([]byte(source))
	}
	p.generation++
	start := time.Now()
	status := C.syn_parse(p.c, g, text(source), C.uint32_t(len(source)),
		C.uint64_t(p.options.ParseTimeout.Microseconds()))
	p.cost.Parse = time.Since(start)
	switch status {
	case C.SYN_EXPIRED:
		return nil, &ParseTimeout{path, p.options.ParseTimeout}
	case C.SYN_DEEP:
		return nil, fmt.Errorf("syntax: %s: %w", path, ErrTooDeep)
	}

	file := &parsed{tree: tree{parser: p, generation: p.generation, language: p.set.languages[lang]}}
	file.File = executor.File{
		ID: files.Add(1), Path: path, Language: lang, Text: source, ASCII: bool(p.c.ascii), Tree: &file.tree,
	}
	file.tree.file = &file.File
	if file.tree.language != nil {
		file.tree.shared = p.pass(file.tree.language, source)
		p.cost.Fallback = !file.tree.shared
	}
	return &file.File, nil
}

// files counts all files parsed in this process.
var files atomic.Uint64

// parsed is a file and its tree in one allocation.
type parsed struct {
	executor.File
	tree tree
}

// Cost returns what the last call of Parse took.
func (p *Parser) Cost() Cost { return p.cost }

// pass runs the shared pass and reports whether its matches count.
func (p *Parser) pass(l *language, source string) bool {
	if p.options.Separate {
		return false
	}
	start := time.Now()
	limit := p.options.PassBudget + time.Duration(len(source)/1000)*p.options.PassBudgetPerKB
	defer func() { p.cost.Pass = time.Since(start) }()
	for _, c := range l.chunks {
		left := limit - time.Since(start)
		if left <= 0 ||
			C.syn_match_query(p.c, c.query, C.uint32_t(c.base), C.int64_t(left)) != C.SYN_OK {
			return false
		}
	}
	return p.collectAll(p.c, l, source, start.Add(limit))
}
