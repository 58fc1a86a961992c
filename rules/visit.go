package rules

import (
	"context"
	"strings"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
)

// A visitFinder looks for a rule's entry point without running the rule.
type visitFinder struct {
	parser *sitter.Parser
}

func newVisitFinder() *visitFinder {
	p := sitter.NewParser()
	p.SetLanguage(javascript.GetLanguage())
	p.SetOperationLimit(int(5 * time.Second / time.Microsecond))
	return &visitFinder{p}
}

func (f *visitFinder) close() { f.parser.Close() }

// found says whether code declares or assigns visit at its top level. Code that
// the grammar cannot parse gets the benefit of the doubt if it mentions visit:
// the grammar is not V8's, which judges it later.
func (f *visitFinder) found(code string) bool {
	src := []byte(code)
	mentioned := strings.Contains(code, "visit")
	tree, err := f.parser.ParseCtx(context.Background(), nil, src)
	if err != nil {
		f.parser.Reset() // or it would go on with this code
		return mentioned
	}
	defer tree.Close()
	root := tree.RootNode()
	return mentioned && (root.HasError() || anyChild(root, func(n *sitter.Node) bool { return binds(n, src) }))
}

// anyChild says whether test holds for one of n's children. The cursor makes it
// linear in their number.
func anyChild(n *sitter.Node, test func(*sitter.Node) bool) bool {
	c := sitter.NewTreeCursor(n)
	defer c.Close()
	for more := c.GoToFirstChild(); more; more = c.GoToNextSibling() {
		if test(c.CurrentNode()) {
			return true
		}
	}
	return false
}

// binds says whether a statement gives visit a value.
func binds(n *sitter.Node, src []byte) bool {
	switch n.Type() {
	case "function_declaration", "generator_function_declaration":
		return names(n.ChildByFieldName("name"), src)
	case "lexical_declaration", "variable_declaration":
		return anyChild(n, func(d *sitter.Node) bool {
			return d.Type() == "variable_declarator" && d.ChildByFieldName("value") != nil &&
				names(d.ChildByFieldName("name"), src)
		})
	case "expression_statement":
		e := n.NamedChild(0)
		return e != nil && e.Type() == "assignment_expression" && names(e.ChildByFieldName("left"), src)
	}
	return false
}

// names says whether a name or a destructuring pattern binds visit.
func names(n *sitter.Node, src []byte) bool {
	if n == nil {
		return false
	}
	switch n.Type() {
	case "identifier", "shorthand_property_identifier_pattern":
		return n.Content(src) == "visit"
	case "object_pattern", "array_pattern":
		return anyChild(n, func(child *sitter.Node) bool { return names(child, src) })
	case "pair_pattern":
		return names(n.ChildByFieldName("value"), src)
	}
	return false
}
