package rules

import (
	"strings"
	"testing"
)

func TestVisitFinder(t *testing.T) {
	f := newVisitFinder()
	defer f.close()
	tests := []struct {
		code string
		want bool
	}{
		{"function visit(match, filename, code) {}", true},
		{"const a = 1;\nfunction helper() {}\nfunction visit() {}", true},
		{"async function visit() {}", true},
		{"function* visit() {}", true},
		{"const visit = (match) => {};", true},
		{"let a = 1, visit = function () {};", true},
		{"var visit = make();", true},
		{"visit = () => {};", true},
		{"const { visit } = make();", true},
		{"const { run: visit, other } = make();", true},
		{"const [first, visit] = make();", true},
		{"", false},
		{"// function visit() {}", false},
		{"let visit;", false},
		{"function visits() {}", false},
		{"class visit {}", false},
		{"function outer() { function visit() {} }", false},
		{"if (x) { visit = () => {}; }", false},
		{"const a = { visit() {} };", false},
		{"const a = function visit() {};", false},
		{"const { visit: run } = make();", false},
		{"a.visit = () => {};", false},
		{"visit();", false},
		{"const text = 'function visit() {}';", false},
		// Not to be parsed by the grammar: V8 will judge.
		{"function visit( {", true},
		{"function other( {", false},
	}
	for _, tt := range tests {
		if got := f.found(tt.code); got != tt.want {
			t.Errorf("%q: %v", tt.code, got)
		}
	}
}

// Long and deep code is searched in linear time and without a stack overflow.
func TestVisitFinderOnLargeCode(t *testing.T) {
	f := newVisitFinder()
	defer f.close()
	const n = 20_000
	tests := map[string]string{
		"many statements": strings.Repeat("a;", n) + "function visit() {}",
		"many names":      "let visit2" + strings.Repeat(",a", n) + ",visit=1;",
		"deep pattern":    "let " + strings.Repeat("[", n) + "visit" + strings.Repeat("]", n) + " = x;",
	}
	for name, code := range tests {
		if !f.found(code) {
			t.Errorf("%s: not found", name)
		}
	}
}
