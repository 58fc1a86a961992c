package ddsabench_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/syntax"
)

// What a rule sees of a node inside V8 is compared with what the bytes say,
// through tree-sitter's Go binding, which shares no code with package syntax
// and the bridge. A seen is one line of either side.

const walkCode = `
	const seen = [];
	function see(name, n) {
		seen.push([name, n.cstType, n.start.line, n.start.col, n.end.line, n.end.col, n.text].join("|"));
	}
	function visit(match) {
		const pending = [match.get("p")];
		while (pending.length > 0) {
			const n = pending.pop();
			see(n.fieldName ?? "", n);
			pending.push(...ddsa.getChildren(n).reverse());
		}
	}
	function afterAll() { console.log(JSON.stringify(seen)); }`

const captureCode = `
	const seen = [];
	function see(name, n) {
		seen.push([name, n.cstType, n.start.line, n.start.col, n.end.line, n.end.col, n.text].join("|"));
	}
	function visit(match) {
		seen.push("match");
		for (const name of ["a", "b"]) for (const n of match.getMany(name) ?? []) see(name, n);
	}
	function afterAll() { console.log(JSON.stringify(seen)); }`

// A bench holds what all texts are checked with.
type bench struct {
	rules   []*executor.Rule
	queries []*reference
	parser  *syntax.Parser
	arms    []executor.Executor
}

// newBench makes rules with n random queries for each language, and one that
// walks the tree.
func newBench(t testing.TB, n int) *bench {
	t.Helper()
	b := &bench{}
	for _, language := range []executor.Language{executor.JavaScript, executor.TypeScript} {
		r := rand.New(rand.NewPCG(1, 2))
		b.add(t, language, "(program) @p", walkCode)
		for range n {
			b.add(t, language, randomQuery(r), captureCode)
		}
	}
	b.parser = newParser(t, b.rules)
	for _, arm := range watched {
		b.arms = append(b.arms, newArm(t, arm))
	}
	return b
}

// add makes a rule of the query, unless it does not compile: the parts of a
// random query need not fit.
func (b *bench) add(t testing.TB, language executor.Language, query, code string) {
	if q := newReference(t, language, query); q != nil {
		b.queries = append(b.queries, q)
		b.rules = append(b.rules, &executor.Rule{
			Name: fmt.Sprintf("positions/%d", len(b.rules)), Language: language, Query: query, Code: code,
		})
	}
}

// check compares what the rules and the reference see in text.
func (b *bench) check(t *testing.T, language executor.Language, text string) {
	t.Helper()
	file, err := b.parser.Parse("a.file", language, text)
	if err != nil {
		t.Fatal(err)
	}
	tree := parseReference(t, language, syntax.Decode([]byte(text)))
	for i, rule := range b.rules {
		if rule.Language != language {
			continue
		}
		want := tree.captures(b.queries[i])
		if rule.Code == walkCode && want != nil { // an empty program is no match
			want = tree.walk()
		}
		for _, ex := range b.arms {
			res, err := ex.Execute(t.Context(), rule, file)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			var got []string
			if res.Output != "" {
				if err := json.Unmarshal([]byte(res.Output), &got); err != nil {
					t.Fatalf("%q: output: %v", text, err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s of %q: -want +got\n%s", ex.Name(), rule.Query, text, diff)
			}
		}
	}
}

// kinds are those that random texts are likely to have.
var kinds = strings.Fields("identifier number string string_fragment template_string template_substitution comment " +
	"expression_statement call_expression arguments array object pair lexical_declaration variable_declarator " +
	"function_declaration formal_parameters statement_block arrow_function parenthesized_expression ERROR _")

func randomQuery(r *rand.Rand) string {
	kind := func() string { return "(" + kinds[r.IntN(len(kinds))] + ")" }
	around := func(inner string) string { return strings.TrimSuffix(kind(), ")") + " " + inner + ")" }
	switch r.IntN(7) {
	case 0:
		return kind() + " @a"
	case 1:
		return around(kind()+" @a") + " @b"
	case 2:
		return around(kind() + " @a . " + kind() + " @b")
	case 3:
		return "[" + kind() + " " + kind() + "] @a"
	case 4:
		return kind() + " @a " + kind() + " @b"
	case 5:
		return "(" + kind() + "+ @a . " + kind() + " @b)"
	default:
		return around(around(kind() + "? @a"))
	}
}

// pieces make texts of every width of character, all line ends, marks that look
// like them, and bytes that are no text.
var pieces = []string{
	"a", "é", "e\u0301", "漢", "𝒳", "'😀'", "\"e\u0301👩‍💻\"", "`é${", "}`", "1", "f(", "(", ")", "[", "]", "{", "}", ",", ";", "=>", ".",
	"let ", "function ", "x: ", "= ", "\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\ufeff", "\u00a0", "\t", " ",
	"// é\n", "/* 😀\r\n*/", "// \u2028", "<a>", "</a>", "/ä/u", "\x00", "\xff", "\xf0\x9f\x98", "\xed\xa0\x80", "\ufffd", "#!",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestPositionsAreThoseOfTheBytes(t *testing.T) {
	b := newBench(t, 25)
	if len(b.rules) < 30 {
		t.Fatalf("only %d of the random queries compile", len(b.rules))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 80 {
		text := randomText(r)
		b.check(t, executor.JavaScript, text)
		b.check(t, executor.TypeScript, text)
	}
}

func FuzzPositions(f *testing.F) {
	b := newBench(f, 8)
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		f.Add(randomText(r))
	}
	for _, text := range []string{"", "\ufeff", "a\r", "'😀'; a\r\nb", "e\u0301", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			t.Skip("longer texts show nothing new, but take long")
		}
		b.check(t, executor.JavaScript, text)
		b.check(t, executor.TypeScript, text)
	})
}
