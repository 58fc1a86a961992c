package syntax

import "unicode/utf8"

// Bounds of one rule's query, so that tree-sitter's 16-bit indices and its
// recursion, which it does not check, cannot overflow.
const (
	maxNesting = 200
	maxSteps   = 50_000
)

// A scan is what the text of a query shows before it is compiled.
type scan struct {
	// names are the captures in order of first appearance, which is the order
	// of tree-sitter's capture numbers.
	names []string
	// predicates are the offsets at which predicates start, in order.
	predicates []int
	// patterns is an upper bound of the patterns, 0 if nothing could begin one.
	patterns int
	// steps is an upper bound of the steps that the query compiles to.
	steps int
	// nesting is how deep brackets and fields nest.
	nesting int
	// endless is the offset of a + or * that tree-sitter cannot be trusted with,
	// or -1: a + after a pattern that can be empty, or either after an outermost
	// node with a child that can be. Compiling such a query, or running it, need
	// not end.
	endless int
	// alone says that the text means the same whatever text stands before and
	// after it, so that it can be compiled together with other queries.
	alone bool
}

// scanQuery reads a query as tree-sitter's own lexer does. It need not find
// errors: a text that it does not follow is not alone.
func scanQuery(query string) scan {
	s := scanner{text: query, seen: map[string]bool{}, scan: scan{endless: -1}}
	s.alone = utf8.ValidString(query)
	s.open = []bracket{{}}
	for s.skipSpace(); s.pos < len(s.text); s.skipSpace() {
		s.token()
	}
	if len(s.open) != 1 || !s.begun || s.dangling {
		s.alone = false
	}
	return s.scan
}

type scanner struct {
	scan
	text string
	pos  int
	seen map[string]bool

	open      []bracket // the open ones; the first stands for the whole text
	level     int       // the nesting here; a field nests what follows it
	field     bool      // after a field's colon, until its pattern begins
	name      bool      // the next token is a node's or field's name
	predicate int       // number of open brackets in the predicate being read, or 0
	begun     bool      // a token was read
	dangling  bool      // the last token wants another
}

// A bracket is an open one with the elements in it so far. A node cannot match
// nothing, a group can if all its elements can, an alternation if one can.
type bracket struct {
	level    int
	kind     byte // 'n' node or predicate, 'g' group, 'a' alternation
	elements int
	empty    int  // how many of the elements before the last can match nothing
	last     bool // the last one can

	inNode    bool // it is a node, or within one
	loose     bool // it has a child that can match nothing, or an element that is loose
	lastLoose bool // the last element is loose
}

func (b *bracket) element(empty, loose bool) {
	if b.last {
		b.empty++
	}
	b.elements++
	b.last, b.lastLoose = empty, loose
	b.loose = b.loose || loose
}

func (b *bracket) canBeEmpty() bool {
	empty := b.empty
	if b.last {
		empty++
	}
	return b.kind == 'g' && empty == b.elements || b.kind == 'a' && empty > 0
}

func (s *scanner) token() {
	c := s.text[s.pos]
	if !s.begun && c != '(' && c != '[' && c != '"' && !isIdent(c) {
		s.alone = false
	}
	s.begun, s.dangling = true, false
	top := &s.open[len(s.open)-1]
	if !s.field {
		s.level = top.level
	}
	field, name := s.field, s.name
	s.field, s.name = false, false
	if len(s.open) == 1 && !field && c != '@' && c != '+' && c != '*' && c != '?' {
		s.patterns++
	}
	start := s.pos
	s.pos++
	switch {
	case c == '(' || c == '[':
		s.bracket(c, start)
	case c == ')' || c == ']':
		s.close()
	case c == '"':
		s.steps += 2
		s.skipString()
		top.element(false, false)
	case c == '@':
		s.steps++
		s.capture()
	case c == ':':
		s.dangling, s.field = true, true
		s.nest()
	case c == '.' || c == '!' || c == '#' || c == '/':
		s.dangling = true
		s.name = c == '!' || c == '/'
	case c == '+' || c == '*' || c == '?':
		s.steps += 2
		if s.endless < 0 && (c == '+' && top.last || c != '?' && top.lastLoose && !top.inNode) {
			s.endless = start
		}
		top.last = top.last || c != '+'
	case c == '_' && !name && s.predicate == 0:
		s.steps += 2
		top.element(false, false)
	case isIdent(c):
		s.ident()
		s.field = field
	default:
		s.alone = false
	}
}

func (s *scanner) bracket(c byte, start int) {
	s.nest()
	s.steps += 2
	b := bracket{level: s.level, kind: 'n', inNode: s.open[len(s.open)-1].inNode}
	s.skipSpace()
	next := byte(0)
	if s.pos < len(s.text) {
		next = s.text[s.pos]
	}
	switch {
	case c == '[':
		b.kind = 'a'
	case next == '#' || next == '.':
		s.predicate = len(s.open) + 1
		s.predicates = append(s.predicates, start)
	case next == '(' || next == '[' || next == '"':
		b.kind = 'g'
	default:
		s.name, b.inNode = true, true
	}
	s.open = append(s.open, b)
}

func (s *scanner) nest() {
	s.level++
	s.nesting = max(s.nesting, s.level)
}

func (s *scanner) close() {
	if len(s.open) == 1 {
		s.alone = false
		return
	}
	closed := s.open[len(s.open)-1]
	predicate := s.predicate == len(s.open)
	s.open = s.open[:len(s.open)-1]
	top := &s.open[len(s.open)-1]
	s.level = top.level
	switch {
	case !predicate:
		loose := closed.loose || closed.kind == 'n' && (closed.empty > 0 || closed.last)
		top.element(closed.canBeEmpty(), loose)
	case top.kind == 'a': // It adds no step, so that this alternative matches nothing.
		top.element(true, false)
	}
	if predicate {
		s.predicate = 0
	}
}

// capture reads a capture's name. A predicate must name a capture that the
// query has made before it.
func (s *scanner) capture() {
	start := s.pos
	if start == len(s.text) || !isIdent(s.text[start]) {
		s.alone = false
		return
	}
	s.ident()
	name := s.text[start:s.pos]
	switch {
	case s.seen[name]:
	case s.predicate > 0:
		s.alone = false
	default:
		s.seen[name] = true
		s.names = append(s.names, name)
	}
}
