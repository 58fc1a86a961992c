package suppress

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/google/go-cmp/cmp"
)

// suppressed lists what a text suppresses of the rules s/a, s/b and t/a, as
// "rule:line"; "*" stands for all rules, or for all lines.
func suppressed(text string) []string {
	c := Parse(text, executor.TypeScript)
	var got []string
	for line := range strings.Count(text, "\n") + 3 {
		var rules []string
		for _, rule := range []string{"s/a", "s/b", "t/a"} {
			if c.Suppressed(rule, line) {
				rules = append(rules, fmt.Sprintf("%s:%d", rule, line))
			}
		}
		if c.Suppressed("any/other", line) {
			rules = []string{fmt.Sprintf("*:%d", line)}
		}
		got = append(got, rules...)
	}
	return got
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"none", "let x = 1\nlet y = 2\n", nil},
		{"next line", "x\n// no-dd-sa\ny\nz\n", []string{"*:3"}},
		{"other keyword", "x\n// datadog-disable\ny\n", []string{"*:3"}},
		{"no space", "x\n\t//no-dd-sa\ny\n", []string{"*:3"}},
		{"more space", "x\n//\t \u00a0no-dd-sa  \ny\n", []string{"*:3"}},
		{"block", "x\n/* no-dd-sa */\ny\n", []string{"*:3"}},
		{"block, no space", "x\n/*no-dd-sa*/\ny\n", []string{"*:3"}},
		{"block, open", "x\n/* no-dd-sa s/a\n*/\ny\n", []string{"s/a:3"}},
		{"JSX", "x\n{/* no-dd-sa s/a */}\ny\n", []string{"s/a:3"}},
		{"behind code", "x\na() // no-dd-sa\ny\n", []string{"*:3"}},
		{"code with slashes", "x\na = b / c; import \"a/b\" // no-dd-sa\ny\n", []string{"*:3"}},
		{"code behind", "x\n/* no-dd-sa */ import \"a/b\"\ny\n", []string{"*:3"}},
		{"CRLF", "x\r\n// no-dd-sa\r\ny\r\n// no-dd-sa s/a\r\nz\r\n", []string{"*:3", "s/a:5"}},
		{"at the end", "x\n// no-dd-sa s/a", []string{"s/a:3"}},

		{"one rule", "x\n// no-dd-sa s/a\ny\n", []string{"s/a:3"}},
		{"colon", "x\n// no-dd-sa:s/a\ny\n", []string{"s/a:3"}},
		{"colon and space", "x\n// no-dd-sa: s/a\ny\n", []string{"s/a:3"}},
		{"list", "x\n// no-dd-sa s/a,s/b , t/a\ny\n", []string{"s/a:3", "s/b:3", "t/a:3"}},
		{"list with spaces", "x\n/*no-dd-sa s/a t/a*/\ny\n", []string{"s/a:3", "t/a:3"}},
		{"remarks", "x\n// no-dd-sa s/a because of that // see below\ny\n", []string{"s/a:3"}},
		{"only remarks", "x\n// no-dd-sa no-var, legacy // see below\ny\n", []string{"*:3"}},
		{"another set's", "x\n// no-dd-sa s/a\ny\n", []string{"s/a:3"}},
		{"unknown rule", "x\n// no-dd-sa u/a\ny\n", nil},
		{"case counts", "x\n// no-dd-sa S/A\n// NO-DD-SA\ny\n", nil},
		{"two in a line", "x\n/* no-dd-sa s/a */ /* datadog-disable s/b */\ny\n", []string{"s/a:3", "s/b:3"}},
		{"one names none", "x\n/* no-dd-sa s/a */ // no-dd-sa\ny\n", []string{"*:3"}},
		{"one in the other", "x\n// no-dd-sa s/a // no-dd-sa s/b\ny\n", []string{"s/a:3", "s/b:3"}},

		{"whole file", "// no-dd-sa\nx\n", []string{"*:0", "*:1", "*:2", "*:3", "*:4"}},
		{"whole file, BOM", "\ufeff// no-dd-sa", []string{"*:0", "*:1", "*:2"}},
		{"whole file, one rule", "/* no-dd-sa s/b */\nx\n// no-dd-sa s/a", []string{"s/b:0", "s/b:1", "s/b:2", "s/b:3", "s/a:4", "s/b:4"}},
		{"line 2 is a line", "#!/usr/bin/env node\n// no-dd-sa\nx\ny\n", []string{"*:3"}},

		{"not its own line", "x\ny // no-dd-sa\n\nz\n", []string{"*:3"}},
		{"each for its next line", "x\n// no-dd-sa s/a\n// no-dd-sa s/b\ny\n", []string{"s/a:3", "s/b:4"}},
		{"not in a comment", "x\nno-dd-sa\n\"no-dd-sa\"\n# no-dd-sa\ny\n", nil},
		{"not the first word", "x\n// please no-dd-sa\n/** no-dd-sa */\n * no-dd-sa\ny\n", nil},
		{"second line of a block", "x\n/*\nno-dd-sa */\ny\n", nil},
		{"longer word", "x\n// no-dd-sandbox\n// datadog-disabled\n// no-dd-sa-x s/a\n// no-dd-saß\ny\n", nil},
		{"longer word, then one", "x\n// no-dd-sax // no-dd-sa s/a\ny\n", []string{"s/a:3"}},
		{"three slashes", "x\n/// no-dd-sa\ny\n", []string{"*:3"}},
		{"in a string", "x\nlet s = \"// no-dd-sa s/a\"\ny\n", nil}, // the name is s/a"
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, suppressed(tt.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseOtherLanguage(t *testing.T) {
	if c := Parse("// no-dd-sa\n", "PYTHON"); !c.Empty() {
		t.Error("a language that is not known has comments")
	}
	if c := Parse("// no-dd-sa\n", executor.JavaScript); c.Empty() {
		t.Error("JavaScript has none")
	}
}

// Most files have no such comment; they cost no memory.
func TestParseAllocations(t *testing.T) {
	text := strings.Repeat("// no such comment here\nlet nothing = 1\n", 100)
	if n := testing.AllocsPerRun(10, func() { Parse(text, executor.TypeScript) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A hostile file of the largest size takes no quadratic time.
func TestParseHostile(t *testing.T) {
	start := time.Now()
	for _, part := range []string{"no-dd-sa", "/*no-dd-sa ", "// no-dd-sa a/b ", "//", "/* ", "/*no-dd-sa*/", "\n//no-dd-sa a/b"} {
		Parse(strings.Repeat(part, 200_000/len(part))+"no-dd-sa", executor.JavaScript)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

// Only lines behind a keyword, or all lines behind one on line 1, suppress.
func FuzzParse(f *testing.F) {
	f.Add("x\n// no-dd-sa s/a\ny")
	f.Add("/* datadog-disable: s/a, s/b */ x\r\n")
	f.Add("x\n{/*no-dd-sa*/}\n///no-dd-sa\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := Parse(text, executor.TypeScript)
		lines := strings.Split(text, "\n")
		has := func(i int) bool {
			return i >= 0 && i < len(lines) && (strings.Contains(lines[i], "no-dd-sa") || strings.Contains(lines[i], "datadog-disable"))
		}
		for number := 1; number <= len(lines)+2; number++ {
			for _, rule := range []string{"s/a", "s/b", "other"} {
				if c.Suppressed(rule, number) && !has(0) && !has(number-2) {
					t.Errorf("%s is suppressed on line %d without a comment", rule, number)
				}
			}
		}
		if c.Empty() && (c.Suppressed("s/a", 1) || c.Suppressed("s/a", 3)) {
			t.Error("no comment suppresses")
		}
		// A line of its own, not the first, changes no other line.
		more := Parse("\n"+text, executor.TypeScript)
		for number := 3; number <= len(lines)+1; number++ {
			if !has(0) && more.Suppressed("s/a", number+1) != c.Suppressed("s/a", number) {
				t.Errorf("line %d differs when it is moved down", number)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat("export const nothing: number = other.node(1); // a note on something\n", 60)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text, executor.TypeScript)
	}
}
