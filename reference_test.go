package ddsabench_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"

	"github.com/ddsabench/ddsabench/executor"
)

func grammar(l executor.Language) *sitter.Language {
	if l == executor.TypeScript {
		return tsx.GetLanguage()
	}
	return javascript.GetLanguage()
}

// A reference is a query compiled by tree-sitter's Go binding.
type reference struct{ *sitter.Query }

// newReference returns nil if the query does not compile.
func newReference(t testing.TB, language executor.Language, query string) *reference {
	q, err := sitter.NewQuery([]byte(query), grammar(language))
	if err != nil {
		return nil
	}
	t.Cleanup(q.Close)
	return &reference{q}
}

// A referenceTree is valid UTF-8, parsed by the binding.
type referenceTree struct {
	text string
	root *sitter.Node
}

func parseReference(t testing.TB, language executor.Language, text string) referenceTree {
	t.Helper()
	root, err := sitter.ParseCtx(context.Background(), []byte(text), grammar(language))
	if err != nil {
		t.Fatal(err)
	}
	return referenceTree{text, root}
}

// see is a node in one line, its place computed from the bytes before it.
func (r referenceTree) see(name string, n *sitter.Node) string {
	line, col := r.place(n.StartByte())
	endLine, endCol := r.place(n.EndByte())
	text := r.text[n.StartByte():n.EndByte()]
	return fmt.Sprintf("%s|%s|%d|%d|%d|%d|%s", name, n.Type(), line, col, endLine, endCol, text)
}

func (r referenceTree) place(at uint32) (line, col int) {
	before := r.text[:at]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, len(utf16.Encode([]rune(before[lineStart:]))) + 1
}

// walk sees all named nodes, parents first.
func (r referenceTree) walk() (seen []string) {
	cursor := sitter.NewTreeCursor(r.root)
	defer cursor.Close()
	var walk func(named bool)
	walk = func(named bool) {
		if !named {
			return
		}
		seen = append(seen, r.see(cursor.CurrentFieldName(), cursor.CurrentNode()))
		if cursor.GoToFirstChild() {
			walk(cursor.CurrentNode().IsNamed())
			for cursor.GoToNextSibling() {
				walk(cursor.CurrentNode().IsNamed())
			}
			cursor.GoToParent()
		}
	}
	walk(r.root.IsNamed())
	return seen
}

// captures sees what q finds, match after match.
func (r referenceTree) captures(q *reference) (seen []string) {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q.Query, r.root)
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return seen
		}
		if len(m.Captures) == 0 {
			continue
		}
		seen = append(seen, "match")
		for _, name := range []string{"a", "b"} {
			for _, c := range m.Captures {
				if q.CaptureNameForId(c.Index) == name {
					seen = append(seen, r.see(name, c.Node))
				}
			}
		}
	}
}
