package syntax

import (
	"fmt"
	"testing"
)

func TestPredicates(t *testing.T) {
	const (
		one  = `((identifier) @x %s)`
		many = `((comment)* @c . (debugger_statement) @x %s)`
		pair = `(binary_expression left: (_) @l right: (_) @x %s)`
		none = `((debugger_statement) @x (comment)? @c %s)`
	)
	for _, c := range []struct {
		pattern, predicates, text string
		want                      int // matches
	}{
		{one, `(#eq? @x "a")`, "a; b", 1},
		{one, `(#eq? @x a)`, "a; b", 1},
		{one, `(#eq? @x "")`, "a; b", 0},
		{one, `(#eq? @x "😀\"\\\n")`, "a; b", 0},
		{one, `(#not-eq? @x "a")`, "a; b", 1},
		{one, `(#match? @x "^a+$")`, "a; aa; ba", 2},
		{one, `(#not-match? @x "^a+$")`, "a; aa; ba", 1},
		{one, `(#match? @x "é.\\x{1D4D0}")`, "écÐ; éc𝓐", 1},
		{one, `(#any-of? @x "a" "c")`, "a; b; c", 2},
		{one, `(#not-any-of? @x "a" "c")`, "a; b; c", 1},
		{one, `(#any-of? @x)`, "a; b; c", 0},
		{one, `(#match? @x "a") (#not-eq? @x "a")`, "a; ab; b", 1},
		{one, `(#set! key "value")`, "a; b", 2},
		{one, `(#unknown? @x)`, "a; b", 2},

		{pair, `(#eq? @l @x)`, "a + a; a + b", 1},
		{pair, `(#not-eq? @l @x)`, "a + a; a + b", 1},
		{pair, `(#any-eq? @l @x)`, "a + a; a + b", 1},
		{pair, `(#any-not-eq? @l @x)`, "a + a; a + b", 1},

		{many, `(#eq? @c "//a")`, "//a\n//a\ndebugger", 1},
		{many, `(#eq? @c "//a")`, "//a\n//b\ndebugger", 0},
		{many, `(#any-eq? @c "//a")`, "//a\n//b\ndebugger", 1},
		{many, `(#any-eq? @c "//a")`, "//b\n//b\ndebugger", 0},
		{many, `(#not-eq? @c "//a")`, "//a\n//b\ndebugger", 0},
		{many, `(#any-not-eq? @c "//a")`, "//a\n//b\ndebugger", 1},
		{many, `(#any-not-eq? @c "//a")`, "//a\n//a\ndebugger", 0},
		{many, `(#match? @c "a")`, "//a\n//b\ndebugger", 0},
		{many, `(#any-match? @c "a")`, "//a\n//b\ndebugger", 1},
		{many, `(#any-not-match? @c "a")`, "//a\n//b\ndebugger", 1},
		{many, `(#any-of? @c "//a" "//b")`, "//a\n//b\ndebugger", 1},
		{many, `(#not-any-of? @c "//b")`, "//a\n//b\ndebugger", 0},
		{many, `(#eq? @c @x)`, "//a\ndebugger", 0},
		{many, `(#not-eq? @c @x)`, "//a\n//b\ndebugger", 0}, // not equally many

		// Nothing captured: the plain form holds, the any- form does not.
		{none, `(#eq? @c "//a")`, "debugger", 1},
		{none, `(#not-eq? @c "//a")`, "debugger", 1},
		{none, `(#any-eq? @c "//a")`, "debugger", 0},
		{none, `(#any-not-match? @c "a")`, "debugger", 0},
	} {
		query := fmt.Sprintf(c.pattern, c.predicates)
		if got := find(t, query, c.text); len(got) != c.want {
			t.Errorf("%s on %q: want %d matches, got %v", query, c.text, c.want, got)
		}
	}
}

// A predicate of one pattern leaves the others alone.
func TestPredicatesBelongToPatterns(t *testing.T) {
	got := find(t, `((identifier) @x (#eq? @x "a")) ((identifier) @y) ((identifier) @z (#eq? @z "b"))`, "a; b")
	diff(t, []match{{"x 1:1-1:2 a"}, {"y 1:1-1:2 a"}, {"y 1:4-1:5 b"}, {"z 1:4-1:5 b"}}, got)
}
