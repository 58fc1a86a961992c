package executortest

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// scriptErrors: whatever a script throws is a script error with a text, and the
// next execution is right.
func scriptErrors(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	check := func(name string, r *executor.Rule, again *executor.Rule, want string) {
		t.Run(name, func(t *testing.T) {
			s := subject{s.Executor, t}
			if got := show(s.execute(r, one("bad.js"))); got != "script error: "+want {
				t.Errorf("got\n%s\nwant\nscript error: %s", got, want)
			}
			s.wantRight(again)
		})
	}
	for _, c := range []struct{ name, code, want string }{
		{"Error", "\nthrow new Error('x')", "Uncaught Error: x\n    at visit (rule:4:7)"},
		{"subclass", "class E extends TypeError {} throw new E('x')", "Uncaught TypeError: x\n    at visit (rule:3:38)"},
		{"renamed", "const e = new Error('x'); e.name = 'Mine'; throw e", "Uncaught Mine: x\n    at visit (rule:3:13)"},
		{"several lines", "throw new Error('x\\ny')", "Uncaught Error: x\ny\n    at visit (rule:3:9)"},
		{"from a function", "const f = () => null.x;\nf()", "Uncaught TypeError: Cannot read properties of null (reading 'x')\n    at f (rule:3:24)\n    at visit (rule:4:1)"},
		{"from the host's code", "match.getMany.call(1)", "Uncaught TypeError: this._getManyIds is not a function\n    at visit (rule:3:17)"},
		{"string", "throw 'x'", "Uncaught x\n    at rule:3:3"},
		{"number", "throw 1", "Uncaught 1\n    at rule:3:3"},
		{"undefined", "throw undefined", "Uncaught undefined\n    at rule:3:3"},
		{"null", "throw null", "Uncaught null\n    at rule:3:3"},
		{"symbol", "throw Symbol('x')", "Uncaught Symbol(x)\n    at rule:3:3"},
		{"function", "throw function f() {}", "Uncaught function f() {}\n    at rule:3:3"},
		{"empty text", "throw ''", "Uncaught \n    at rule:3:3"},
		{"object", "throw {}", "Uncaught [object Object]\n    at rule:3:3"},
		{"object without prototype", "throw Object.create(null)", "Uncaught [object Object]\n    at rule:3:3"},
		{"object with toString", "throw { toString: () => 'x' }", "Uncaught x\n    at rule:3:3"},
		{"toString throws", "throw { toString() { throw 1 } }", "Uncaught [object Object]\n    at rule:3:3"},
		{"toString gives an object", "throw { toString: () => ({}), valueOf: () => ({}) }", "Uncaught [object Object]\n    at rule:3:3"},
		{"toPrimitive throws", "throw { [Symbol.toPrimitive]() { throw 1 } }", "Uncaught #<Object>\n    at rule:3:3"},
		{"stack throws", "throw { get stack() { throw 1 }, toString: () => 'x' }", "Uncaught x\n    at rule:3:3"},
		{"stack is no text", "throw { stack: 1, toString: () => 'x' }", "Uncaught x\n    at rule:3:3"},
		{"stack is made up", "throw { stack: 'mine' }", "Uncaught mine\n    at rule:3:3"},
		{"unusual text", "throw 'a\\ud800\\u0000😀'", "Uncaught a\ufffd\x00😀\n    at rule:3:3"},
		{"proxy", "throw new Proxy({}, { get() { throw 1 }, has() { throw 2 }, getPrototypeOf() { throw 3 } })", "Uncaught #<Object>\n    at rule:3:3"},
		{"revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy", "Uncaught null\n    at rule:3:64"},
		{"recursion", "const f = () => f(); f()", "Uncaught RangeError: Maximum call stack size exceeded" +
			repeat("\n    at f (rule:3:19)", 10)},
		{
			"a getter that we read", "const v = buildError(1, 1, 1, 1, 'm'); Object.defineProperty(v, 'end', { get() { throw new Error('x') } }); addError(v)",
			"Uncaught Error: x\n    at Violation.get [as end] (rule:3:90)",
		},
	} {
		r := wellOn(c.code)
		check(c.name, r, r, c.want)
	}
	// Columns count from a line's start, lines from the rule's first.
	for _, c := range []struct{ name, code, want string }{
		{"does not compile", "function visit() {\n  let let = 1;\n}", "Uncaught SyntaxError: Unexpected strict mode reserved word\n    at rule:2:7"},
		{"unfinished", "function visit() {", "Uncaught SyntaxError: Unexpected end of input\n    at rule:2:146"},
		{"closes the function", "function visit() {} } x(); function () {", "Uncaught SyntaxError: Unexpected token '}'\n    at rule:1:21"},
		{"opens a comment", "function visit() {} /*", "Uncaught SyntaxError: Invalid or unexpected token\n    at rule:1:21"},
		{"nested too deeply", "const visit = " + repeat("[", 100_000), "Uncaught RangeError: Maximum call stack size exceeded"},
		{"not strict", "with ({}) {} function visit() {}", "Uncaught SyntaxError: Strict mode code may not include a with statement\n    at rule:1:1"},
		{"import statement", "import x from 'y'; function visit() {}", "Uncaught SyntaxError: Cannot use import statement outside a module\n    at rule:1:1"},
	} {
		check(c.name, rule(c.code), nil, c.want)
	}
	t.Run("long text", func(t *testing.T) {
		_, err := s.execute(rule("throw 'x'.repeat(1 << 24)"), one("bad.js"))
		s.want(err, executor.Script, "")
		if n := len(err.Error()); n > 5000 {
			t.Errorf("an error text of %d bytes", n)
		}
	})
}
