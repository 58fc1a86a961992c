package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

func newRule(name string, lang executor.Language, query string) *executor.Rule {
	return &executor.Rule{Name: name, Language: lang, Query: query}
}

// jsRules makes a JavaScript rule of each query, named q0, q1 and so on.
func jsRules(queries ...string) []*executor.Rule {
	rules := make([]*executor.Rule, len(queries))
	for i, q := range queries {
		rules[i] = newRule(fmt.Sprintf("q%d", i), executor.JavaScript, q)
	}
	return rules
}

func compile(t testing.TB, rules ...*executor.Rule) *Set {
	t.Helper()
	set, err := Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

func newParser(t testing.TB, set *Set, o Options) *Parser {
	t.Helper()
	p := set.NewParser(o)
	t.Cleanup(func() { p.Close() })
	return p
}

// patient are options with which slow machines and sanitizers finish the shared
// pass.
func patient() Options {
	o := DefaultOptions()
	o.ParseTimeout, o.PassBudget = time.Minute, time.Minute
	return o
}

func parse(t testing.TB, p *Parser, lang executor.Language, text string) *executor.File {
	t.Helper()
	file, err := p.Parse("test.file", lang, text)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A match is one match in a form to compare: a line for each capture.
type match []string

// dump decodes a rule's matches, and checks that they are well formed.
func dump(t testing.TB, file *executor.File, rule *executor.Rule) []match {
	t.Helper()
	m, err := file.Tree.Matches(rule, 0)
	if err != nil {
		t.Fatal(err)
	}
	places := placesOf(file.Text)
	var all []match
	words, next := m.Words, uint32(0)
	for range m.Count {
		var one match
		count := words[0]
		words = words[1:]
		for range count {
			name, node := words[0], words[1]
			words = words[2:]
			if node > next {
				t.Fatalf("node %d comes before node %d", node, next)
			}
			next = max(next, node+1)
			record := m.Nodes[node*executor.NodeWords:][:executor.NodeWords]
			checkRecord(t, places, record)
			one = append(one, fmt.Sprintf("%s %d:%d-%d:%d %s", m.Names[name], record[4], record[5],
				record[6], record[7], string(utf16.Decode(places.units[record[2]:record[3]]))))
		}
		if count == 0 {
			t.Fatal("a match without captures")
		}
		all = append(all, one)
	}
	if len(words) != 0 || len(m.Nodes) != int(next)*executor.NodeWords {
		t.Fatalf("%d words are left; %d words of nodes for %d nodes", len(words), len(m.Nodes), next)
	}
	return all
}

// places are the UTF-16 units of a text with the line and column of each, and
// of the end.
type places struct {
	units     []uint16
	line, col []uint32
}

func placesOf(text string) places {
	p := places{units: utf16.Encode([]rune(text))}
	line, col := uint32(1), uint32(1)
	for _, u := range p.units {
		p.line, p.col = append(p.line, line), append(p.col, col)
		col++
		if u == '\n' {
			line, col = line+1, 1
		}
	}
	p.line, p.col = append(p.line, line), append(p.col, col)
	return p
}

// checkRecord compares a record's lines and columns with its offsets.
func checkRecord(t testing.TB, p places, r []uint32) {
	t.Helper()
	from, to := r[2], r[3]
	if from > to || int(to) > len(p.units) {
		t.Fatalf("offsets %d to %d in a text of %d units", from, to, len(p.units))
	}
	if p.line[from] != r[4] || p.col[from] != r[5] {
		t.Fatalf("start %d is %d:%d, the record says %d:%d", from, p.line[from], p.col[from], r[4], r[5])
	}
	if p.line[to] != r[6] || p.col[to] != r[7] {
		t.Fatalf("end %d is %d:%d, the record says %d:%d", to, p.line[to], p.col[to], r[6], r[7])
	}
	if r[8] != 0 {
		t.Fatalf("a captured node has field %d", r[8])
	}
}

// find returns the matches of a single JavaScript query in text.
func find(t testing.TB, query, text string) []match {
	t.Helper()
	rules := jsRules(query)
	p := newParser(t, compile(t, rules...), DefaultOptions())
	return dump(t, parse(t, p, executor.JavaScript, text), rules[0])
}

// sameSeparately checks that the shared pass and one query per rule find the
// same matches in the same order, with the same records except for handles.
func sameSeparately(t testing.TB, shared, separate *Parser, rules []*executor.Rule, path string, lang executor.Language, text string) {
	t.Helper()
	a, err := shared.Parse(path, lang, text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := separate.Parse(path, lang, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		x, err := a.Tree.Matches(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Tree.Matches(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		if x.Count != y.Count || !slices.Equal(x.Words, y.Words) || !slices.Equal(withoutHandles(x), withoutHandles(y)) {
			t.Errorf("%s: rule %s: %d matches in the shared pass, %d in its own query, or others",
				path, r.Name, x.Count, y.Count)
		}
	}
}

func withoutHandles(m executor.Matches) []uint32 {
	nodes := slices.Clone(m.Nodes)
	for i := 0; i < len(nodes); i += executor.NodeWords {
		nodes[i] = 0
	}
	return nodes
}

func diff(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// sample is a text of n statements with everything that the rules below match.
func sample(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "// π %d\nvar v%d = \"é😀\" == x ? f(%d, a.b) : null;\n", i, i, i)
		fmt.Fprintf(&b, "function g%d(a, b, c, d) { console.log(a, `${b}`); try { h() } catch {} }\n", i)
		if i%7 == 0 {
			b.WriteString("debugger; new Function('a'); if (a) {} else { a != b }\r\n")
		}
	}
	if !utf8.ValidString(b.String()) {
		panic("sample")
	}
	return b.String()
}

// typical are queries like those of real rules.
var typical = []string{
	`((call_expression function: (member_expression object: (identifier) @o property: (property_identifier) @p)) @call (#eq? @o "console"))`,
	`(debugger_statement) @d`,
	`(variable_declaration "var" @kind) @v`,
	`((binary_expression operator: ["==" "!="] @op) @e)`,
	`((statement_block) @b (#match? @b "^\\{\\s*\\}$"))`,
	`(function_declaration name: (identifier) @name parameters: (formal_parameters (_)+ @param))`,
	`((new_expression constructor: (identifier) @c arguments: (arguments) @a) (#any-of? @c "Function" "Array"))`,
	`((comment)+ @doc . (variable_declaration) @v)`,
	`(program (_) @first . (_) @second)`,
	`[(string) (template_string) (null)] @literal`,
	`(if_statement condition: (_) @test consequence: (_) @then alternative: (_)? @else)`,
	`(call_expression arguments: (arguments . (_) @first (_)* @rest))`,
	`(catch_clause !parameter body: (_) @body) (try_statement) @try`,
	`((identifier) @id (#not-any-of? @id "a" "b" "c"))`,
	`(binary_expression left: (_) @l right: (_) @r (#not-eq? @l @r))`,
}
