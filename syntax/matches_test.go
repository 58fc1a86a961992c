package syntax

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []match
	}{
		{"ascii", "a;\n b;", []match{{"x 1:1-1:2 a"}, {"x 2:2-2:3 b"}}},
		{"emoji", "'😀'; a;\n'😀😀'; b", []match{{"x 1:7-1:8 a"}, {"x 2:9-2:10 b"}}},
		{"combining", "'e\u0301'; a", []match{{"x 1:7-1:8 a"}}},
		{"two and three bytes", "'é漢'; a", []match{{"x 1:7-1:8 a"}}},
		{"identifier beyond ASCII", "ñandú = 漢", []match{{"x 1:1-1:6 ñandú"}, {"x 1:9-1:10 漢"}}},
		{"CRLF", "a;\r\nb;\r\n", []match{{"x 1:1-1:2 a"}, {"x 2:1-2:2 b"}}},
		{"CR and line separator end no line", "a;\rb;\u2028c", []match{{"x 1:1-1:2 a"}, {"x 1:4-1:5 b"}, {"x 1:7-1:8 c"}}},
		{"BOM", "\ufeffa;\nb", []match{{"x 1:2-1:3 a"}, {"x 2:1-2:2 b"}}},
		{"no final newline", "a", []match{{"x 1:1-1:2 a"}}},
		{"invalid UTF-8", "'\xff\xf0\x9f\x98'; a", []match{{"x 1:7-1:8 a"}}},
		{"zero byte", "'\x00'; a", []match{{"x 1:6-1:7 a"}}},
		{"empty", "", nil},
		{"only space", " \n ", nil},
		{"syntax error", "a ) b", []match{{"x 1:1-1:2 a"}, {"x 1:5-1:6 b"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			diff(t, c.want, find(t, "(identifier) @x", c.text))
		})
	}
}

func TestCaptures(t *testing.T) {
	for _, c := range []struct {
		name, query, text string
		want              []match
	}{
		{
			"quantified", `((comment)* @doc . (debugger_statement) @d)`, "// 1\n// 2\ndebugger; debugger",
			[]match{{"doc 1:1-1:5 // 1", "doc 2:1-2:5 // 2", "d 3:1-3:10 debugger;"}, {"d 3:11-3:19 debugger"}},
		},
		{
			"several patterns of a rule", `(number) @n (string) @s`, "'a'; 1; 'b'",
			[]match{{"s 1:1-1:4 'a'"}, {"n 1:6-1:7 1"}, {"s 1:9-1:12 'b'"}},
		},
		{"without captures", `(number)`, "1; 2", nil},
		{
			"two names for a node", `(number) @a @b`, "1",
			[]match{{"a 1:1-1:2 1", "b 1:1-1:2 1"}},
		},
		{"a name first met in a predicate's capture", `((number) @n (#eq? @n "2"))`, "1; 2", []match{{"n 1:4-1:5 2"}}},
		{"comments in the query", "; @not\n(number) ; ( [\n @n ;", "1", []match{{"n 1:1-1:2 1"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			diff(t, c.want, find(t, c.query, c.text))
		})
	}
}

// Names belong to the rule: other rules that use them in another order, or that
// share the chunk, change nothing.
func TestNamesAreTheRulesOwn(t *testing.T) {
	rules := jsRules(`(assignment_expression left: (_) @b right: (_) @a)`, `(number) @a`,
		`(assignment_expression left: (_) @a right: (_) @b (#eq? @b "2"))`)
	p := newParser(t, compile(t, rules...), DefaultOptions())
	for _, text := range []string{"x = 1", "y = 2"} {
		file := parse(t, p, executor.JavaScript, text)
		for i, want := range [][]string{{"b", "a"}, {"a"}, {"a", "b"}} {
			m, err := file.Tree.Matches(rules[i], 0)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, want, m.Names)
		}
	}
	file := parse(t, p, executor.JavaScript, "x = 1; y = 2")
	diff(t, []match{{"b 1:1-1:2 x", "a 1:5-1:6 1"}, {"b 1:8-1:9 y", "a 1:12-1:13 2"}}, dump(t, file, rules[0]))
	diff(t, []match{{"a 1:5-1:6 1"}, {"a 1:12-1:13 2"}}, dump(t, file, rules[1]))
	diff(t, []match{{"a 1:8-1:9 y", "b 1:12-1:13 2"}}, dump(t, file, rules[2]))
}

func TestLanguages(t *testing.T) {
	js := newRule("js", executor.JavaScript, "(identifier) @x")
	ts := newRule("ts", executor.TypeScript, "(type_identifier) @x")
	p := newParser(t, compile(t, js, ts), DefaultOptions())

	file := parse(t, p, executor.TypeScript, "let a: B = <C/> as D")
	diff(t, []match{{"x 1:8-1:9 B"}, {"x 1:20-1:21 D"}}, dump(t, file, ts))
	diff(t, []match(nil), dump(t, file, js))

	stale := file.Tree
	file = parse(t, p, executor.JavaScript, "a")
	diff(t, []match{{"x 1:1-1:2 a"}}, dump(t, file, js))
	if _, err := stale.Matches(ts, 0); !errors.Is(err, ErrStale) {
		t.Errorf("a stale tree says %v", err)
	}
	if _, err := file.Tree.Matches(newRule("stranger", executor.JavaScript, ""), 0); err == nil {
		t.Error("a rule that is not in the set has matches")
	}
	if _, err := p.Parse("x.py", "PYTHON", ""); err == nil {
		t.Error("Python was parsed")
	}
}

func TestSharedPassEqualsOneQueryPerRule(t *testing.T) {
	rules := jsRules(typical...)
	set := compile(t, rules...)
	separate := patient()
	separate.Separate = true
	a, b := newParser(t, set, patient()), newParser(t, set, separate)
	for n := range 20 {
		sameSeparately(t, a, b, rules, fmt.Sprint(n), executor.JavaScript, sample(n))
	}
	found := 0
	file := parse(t, a, executor.JavaScript, sample(20))
	for _, r := range rules {
		n := len(dump(t, file, r))
		if n == 0 {
			t.Errorf("%s matches nothing in the sample", r.Query)
		}
		found += n
	}
	if a.Cost().Fallback || found < 500 {
		t.Errorf("%d matches, fallback %v", found, a.Cost().Fallback)
	}
}
