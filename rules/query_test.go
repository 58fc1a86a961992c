package rules

import (
	"context"
	"regexp"
	"slices"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"

	"github.com/ddsabench/ddsabench/executor"
)

// A reference for the built-in rules' queries: it uses the binding alone, so
// that the rules are checked without package syntax.

func grammar(l executor.Language) *sitter.Language {
	if l == executor.TypeScript {
		return tsx.GetLanguage()
	}
	return javascript.GetLanguage()
}

// compile compiles the rule's query.
func compile(t *testing.T, r *Rule) *sitter.Query {
	t.Helper()
	q, err := sitter.NewQuery([]byte(r.Query), grammar(r.Language))
	if err != nil {
		t.Fatalf("%s: query: %v", r.Name, err)
	}
	return q
}

// countMatches returns how many matches of the rule's query q in code its
// predicates let through.
func countMatches(t *testing.T, r *Rule, q *sitter.Query, code string) int {
	t.Helper()
	root, err := sitter.ParseCtx(context.Background(), []byte(code), grammar(r.Language))
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	if root.HasError() {
		t.Errorf("%s: test code has syntax errors:\n%s", r.Name, code)
	}
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(q, root)
	n := 0
	for {
		m, ok := cursor.NextMatch()
		if !ok {
			return n
		}
		pass := true
		for _, steps := range q.PredicatesForPattern(uint32(m.PatternIndex)) {
			pass = holds(t, q, m, steps, code) && pass
		}
		if pass {
			n++
		}
	}
}

func holds(t *testing.T, q *sitter.Query, m *sitter.QueryMatch, steps []sitter.QueryPredicateStep, code string) bool {
	t.Helper()
	var subject string
	for _, c := range m.Captures {
		if c.Index == steps[1].ValueId {
			subject = c.Node.Content([]byte(code))
		}
	}
	var args []string
	for _, s := range steps[2 : len(steps)-1] {
		args = append(args, q.StringValueForId(s.ValueId))
	}
	switch name := q.StringValueForId(steps[0].ValueId); name {
	case "eq?":
		return subject == args[0]
	case "not-eq?":
		return subject != args[0]
	case "match?":
		return regexp.MustCompile(args[0]).MatchString(subject)
	case "not-match?":
		return !regexp.MustCompile(args[0]).MatchString(subject)
	case "any-of?":
		return slices.Contains(args, subject)
	default:
		t.Fatalf("predicate %s is not known here", name)
		return false
	}
}
