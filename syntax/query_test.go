package syntax

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

func TestBrokenQueries(t *testing.T) {
	for _, c := range []struct {
		query        string
		kind         Kind
		line, column int
	}{
		{"(identifier", BadSyntax, 1, 12},
		{"(identifier) @x)", BadSyntax, 1, 16},
		{"(identifier)\n  (number @)", BadSyntax, 2, 11},
		{"(identifier) @x\n\n (no_such_node)", BadNodeType, 3, 3},
		{`"no such token"`, BadNodeType, 1, 2},
		{"(call_expression nofield: (_))", BadField, 1, 18},
		{`((identifier) @x (#eq? @y "a"))`, BadCapture, 1, 25},
		{"(call_expression (program))", BadStructure, 1, 18},
		{"(call_expression arguments: (_) function: (_))", BadStructure, 1, 33},
		{"", Empty, 1, 1},
		{" ; only a comment", Empty, 1, 1},
		{")", BadSyntax, 1, 1},
		{"+ (identifier)", BadSyntax, 1, 1},
		{"@x (identifier)", BadSyntax, 1, 1},
		{"(identifier) @x \x00", BadSyntax, 1, 17},
		{"(identifier) @x \xff", BadSyntax, 1, 1},
		{strings.Repeat("(", 100_000), TooLarge, 1, 1},
		{strings.Repeat("name: ", 5_000) + "(_)", TooLarge, 1, 1},
		{strings.Repeat("(identifier) @x\n", 20_000), TooLarge, 1, 1},
		{"(number)*+ @x", Endless, 1, 10},
		{"((number)? @x) @y + @z", Endless, 1, 19},
		{"(program [(_) ((string)? (number)*)]+)", Endless, 1, 37},
		{`((#eq? "a"))+`, Endless, 1, 13},
		{`[(number) (#eq? "a")]+`, Endless, 1, 22},
		{"(_ (number)?)* @x", Endless, 1, 14},
		{"[(string) ((_ (number)?) @x)]+", Endless, 1, 30},
		{`((number) @x (#eq? "a" @x))`, BadPredicate, 1, 14},
		{`((number) @x (#eq? @x "1")) ((number) @x (#eq? @x))`, BadPredicate, 1, 42},
		{`((number) @x (#match? @x @x))`, BadPredicate, 1, 14},
		{`((number) @x (#any-of? "1" "2"))`, BadPredicate, 1, 14},
		{`((number) @x (#any-of? @x @x))`, BadPredicate, 1, 14},
		{"((number) @x\n (#set! a b)\n (#match? @x \"(\"))", BadRegexp, 3, 2},
		{`((number) @x (#not-match? @x "(?=a)"))`, BadRegexp, 1, 14},
		{`((number) @x (#match? @x "(abcdefghijkl){1000}"))`, BadRegexp, 1, 14},
	} {
		// Between two rules that would complete some of the broken ones.
		rules := jsRules(`(number) @y`, c.query, `(string) @z`)
		_, err := Compile(rules)
		var errs QueryErrors
		if !errors.As(err, &errs) || len(errs) != 1 {
			t.Errorf("%.40q: %v", c.query, err)
			continue
		}
		if e := errs[0]; e.Rule != rules[1] || e.Kind != c.kind || e.Line != c.line || e.Column != c.column {
			t.Errorf("%.40q: want %s at %d:%d, got %v", c.query, c.kind, c.line, c.column, e)
		}
	}
}

// Repetitions like those that are refused, but sound.
func TestRepetitions(t *testing.T) {
	for _, q := range []string{
		`((comment)+ @c)`, `(comment)* @c`, `(array ((number)? (string))+)`, `(_ (_)+ @x)* @y`,
		`(call_expression function: (_) @f (#eq? @f "a"))+ @c`, `((number)* @x)*`, `(number)?? @x`,
		`(array (array (comment)? (number))+ @x)`,
	} {
		compile(t, jsRules(q)...)
	}
}

func TestAllBrokenRulesAreReported(t *testing.T) {
	rules := append(jsRules("(a)", "(number) @n", "(b)", `((number) @n (#match? @n "["))`),
		newRule("python", "PYTHON", "(a)"), newRule("ts", executor.TypeScript, "(c)"))
	_, err := Compile(rules)
	var errs QueryErrors
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range errs {
		names = append(names, e.Rule.Name)
	}
	diff(t, []string{"q0", "q2", "q3", "python", "ts"}, names)
	want := "rule q0: query, line 1, column 2 (offset 1): node type that the grammar does not have: a"
	if got := errs[0].Error(); got != want {
		t.Errorf("want %s\n got %s", want, got)
	}
	var one *QueryError
	if !errors.As(err, &one) || one != errs[0] {
		t.Error("the first error cannot be had by errors.As")
	}
	compile(t, rules[1])
}

func TestWarnings(t *testing.T) {
	set := compile(t, jsRules(`((number) @n (#set! a "b") (#frob? @n) (#any-any-of? @n "1"))`, "(string) @s",
		`((number) @n (#is? local))`)...)
	diff(t, []string{
		"rule q0: query, offset 27: unknown predicate #frob? is ignored",
		"rule q0: query, offset 39: unknown predicate #any-any-of? is ignored",
		"rule q2: query, offset 13: unknown predicate #is? is ignored",
	}, set.Warnings())
}

// Rules whose texts would change each other if they were simply joined.
func TestQueriesDoNotMeet(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"(number) @x", "@y (string) @x"},
		{"(number) @x", "+ (string) @x"},
		{"(call_expression (number) @x", ") (string) @y"},
		{"(binary_expression left:", "(number) @x)"},
		{`(number) @x "`, `" (string) @x`},
		{"(number) @x", `((string) @s (#eq? @x "1"))`},
	} {
		if _, err := Compile(jsRules(c.a, c.b)); err == nil {
			t.Errorf("%q and %q compile together", c.a, c.b)
		}
	}
}

func TestChunkBoundary(t *testing.T) {
	for _, n := range []int{maxPatterns - 1, maxPatterns, maxPatterns + 1, 2*maxPatterns + 1} {
		queries := make([]string, n)
		for i := range queries {
			queries[i] = fmt.Sprintf(`((identifier) @x%d (#eq? @x%d "v%d"))`, i, i, i)
		}
		rules := jsRules(queries...)
		set := compile(t, rules...)
		p := newParser(t, set, DefaultOptions())
		file := parse(t, p, executor.JavaScript, fmt.Sprintf("v0; v%d; v%d", maxPatterns/2, n-1))
		for i, r := range rules {
			want := 0
			if i == 0 || i == maxPatterns/2 || i == n-1 {
				want = 1
			}
			if got := dump(t, file, r); len(got) != want {
				t.Fatalf("of %d rules, rule %d has %v", n, i, got)
			}
		}
	}
}

func TestManyRules(t *testing.T) {
	const n = 20_000
	queries := make([]string, n)
	for i := range queries {
		queries[i] = `(debugger_statement) @d`
	}
	rules := jsRules(queries...)
	set := compile(t, rules...)
	if got, want := len(set.languages[executor.JavaScript].chunks), n/maxPatterns; got != want {
		t.Errorf("%d chunks, want %d", got, want)
	}
	file := parse(t, newParser(t, set, patient()), executor.JavaScript, "debugger")
	for _, r := range rules {
		if got := len(dump(t, file, r)); got != 1 {
			t.Fatalf("rule %s has %d matches", r.Name, got)
		}
	}
}

func TestOneRuleOfManyPatterns(t *testing.T) {
	rules := jsRules("(string) @s", strings.Repeat("(number) @x\n", 3000), "(null) @n")
	set := compile(t, rules...)
	p := newParser(t, set, DefaultOptions())
	file := parse(t, p, executor.JavaScript, "'a'; 1; null")
	for i, want := range []int{1, 3000, 1} {
		if got := len(dump(t, file, rules[i])); got != want {
			t.Errorf("rule %d has %d matches, want %d", i, got, want)
		}
	}
}

// FuzzCompile holds that a query alone and between others is the same: an error
// in both or in neither, and the same matches.
func FuzzCompile(f *testing.F) {
	for _, q := range typical {
		f.Add(q)
	}
	f.Add("((a) @b (#eq? @c")
	f.Add("[(number) @x (_)? \"a\"]+ (#any-eq? @x \"\\\"\")")
	f.Fuzz(sameBetweenOthers)
}

// TestRandomQueries does the same with texts that are queries more often than
// not.
func TestRandomQueries(t *testing.T) {
	seed := uint64(1)
	for i := range 300 {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		sameBetweenOthers(t, randomQuery(random, 0))
	}
}

func sameBetweenOthers(t *testing.T, query string) {
	alone, between := jsRules(query), jsRules("(number) @n", query, "(string) @s")
	a, errA := Compile(alone)
	b, errB := Compile(between)
	if (a == nil) == (errA == nil) || (errA == nil) != (errB == nil) {
		t.Fatalf("%q: alone %v, between others %v", query, errA, errB)
	}
	if errA != nil {
		return
	}
	defer a.Close()
	defer b.Close()
	p, q := a.NewParser(DefaultOptions()), b.NewParser(DefaultOptions())
	defer p.Close()
	defer q.Close()
	text := sample(3)
	x, errX := parse(t, p, executor.JavaScript, text).Tree.Matches(alone[0], time.Second)
	y, errY := parse(t, q, executor.JavaScript, text).Tree.Matches(between[1], time.Second)
	if errors.Is(errX, executor.ErrTimeout) || errors.Is(errY, executor.ErrTimeout) {
		return
	}
	if (errX == nil) != (errY == nil) || !slices.Equal(x.Words, y.Words) {
		t.Fatalf("%q: alone %d matches, %v, between others %d, %v", query, x.Count, errX, y.Count, errY)
	}
}

// randomQuery makes up a pattern, now and then with a fault.
func randomQuery(r *rand.Rand, depth int) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	inner := func() string {
		if depth > 4 {
			return "_"
		}
		return randomQuery(r, depth+1)
	}
	var q string
	switch r.IntN(12) {
	case 0:
		q = pick("_", `"("`, `","`, `"var"`, `""`, "", ".")
	case 1, 2:
		q = "[" + inner() + " " + inner() + pick("]", " _]", ")")
	case 3:
		q = "(" + inner() + " " + pick("", ". ") + inner() + ")"
	case 4:
		q = pick("name: ", "arguments: ", "left: ", "left: right: ", "body: ") + inner()
	case 5:
		q = "(" + inner() + pick(`(#eq? @a "a")`, `(#match? @a "a")`, `(#eq? @b @a)`, "(#x)", "(.y? a)", `(#eq? "a")`, "(#)") + ")"
	default:
		q = "(" + pick("identifier", "call_expression", "arguments", "program", "_", "expression",
			"binary_expression", "ERROR", "MISSING", "statement_block", "variable_declarator", "expression/identifier")
		for range r.IntN(3) {
			q += " " + pick("", "", ". ", "!name ", "!body ") + inner()
		}
		q += pick("", "", " .") + ")"
	}
	for range r.IntN(3) {
		q += pick("?", "*", "+", " @a", " @b", " @c.d-e", "")
	}
	if depth == 0 && r.IntN(3) == 0 {
		q += pick("\n", " ; c\n", "", " . ", " +") + randomQuery(r, 1)
	}
	return q
}
