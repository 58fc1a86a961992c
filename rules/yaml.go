package rules

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parseYAML reads one YAML document. Errors are *syntaxError. A panic of the
// library on odd input is an error too.
func parseYAML(data []byte) (v *value, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, &syntaxError{problem: fmt.Sprintf("not YAML that can be read: %v", p)}
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if err := checkDepth(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, yamlError(err)
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil && d.Body.Type() != ast.DirectiveType && d.Body.Type() != ast.CommentType {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		return nil, &syntaxError{1, 1, "the file is empty"}
	case 1:
		return (&yamlReader{}).value(docs[0])
	}
	return nil, failAt(docs[1], "a second YAML document; a rule file holds one")
}

// checkDepth bounds nesting before the parser, which recurses. Nesting by
// indentation needs no check: it costs quadratic space.
func checkDepth(tokens token.Tokens) error {
	flow, dashes, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			dashes, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.TagType, token.AnchorType:
			dashes++
		}
		if flow > maxDepth || (flow == 0 && dashes > maxDepth) {
			return &syntaxError{line, t.Position.Column, fmt.Sprintf("nested deeper than %d levels", maxDepth)}
		}
	}
	return nil
}

// yamlError takes the place and the bare message from the library's error,
// without the excerpt of the file that its text has.
func yamlError(err error) error {
	var e yaml.Error
	if !errors.As(err, &e) {
		return &syntaxError{problem: "not YAML: " + err.Error()}
	}
	bad := &syntaxError{problem: "not YAML: " + e.GetMessage()}
	if t := e.GetToken(); t != nil && t.Position != nil {
		bad.line, bad.column = t.Position.Line, t.Position.Column
	}
	return bad
}

func failAt(n ast.Node, format string, args ...any) error {
	p := n.GetToken().Position
	return &syntaxError{p.Line, p.Column, fmt.Sprintf(format, args...)}
}

type yamlReader struct {
	anchors map[string]*value
}

func (r *yamlReader) value(n ast.Node) (*value, error) {
	if n == nil {
		return &value{}, nil
	}
	p := n.GetToken().Position
	v := &value{line: p.Line, column: p.Column}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		v.kind, v.text = boolean, n.String()
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		v.kind, v.text = number, n.GetToken().Value
	case *ast.StringNode:
		v.kind, v.text = text, n.Value
	case *ast.LiteralNode:
		v.kind, v.text = text, n.Value.Value
	case *ast.SequenceNode:
		v.kind = list
		for _, item := range n.Values {
			w, err := r.value(item)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, w)
		}
	case ast.MapNode:
		v.kind = object
		if it := n.MapRange(); it.Next() { // a mapping's own token is its first colon
			p = it.Key().GetToken().Position
			v.line, v.column = p.Line, p.Column
		}
		return v, r.fields(v, n)
	case *ast.AnchorNode:
		w, err := r.value(n.Value)
		if r.anchors == nil {
			r.anchors = map[string]*value{}
		}
		r.anchors[n.Name.String()] = w
		return w, err
	case *ast.AliasNode:
		// The value is shared, not copied, so aliases of aliases stay small.
		if w := r.anchors[n.Value.String()]; w != nil {
			return w, nil
		}
		return nil, failAt(n, "alias *%s has no anchor before it", n.Value)
	default:
		return nil, failAt(n, "%s is not understood here; write plain text, numbers, lists and mappings", n.Type())
	}
	return v, nil
}

func (r *yamlReader) fields(v *value, m ast.MapNode) error {
	v.fields = map[string]*value{}
	for it := m.MapRange(); it.Next(); {
		key, err := r.value(it.Key())
		if err != nil {
			return err
		}
		if key.kind == list || key.kind == object {
			return failAt(it.Key(), "a key must be text")
		}
		if _, twice := v.fields[key.text]; twice {
			return failAt(it.Key(), "key %q stands twice in one mapping", key.text)
		}
		if v.fields[key.text], err = r.value(it.Value()); err != nil {
			return err
		}
	}
	return nil
}
