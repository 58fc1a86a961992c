package executortest

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// escapes: a rule tries to get hold of what the runtime keeps for itself, or to
// get round its limits by way of built-in functions that it has replaced.
func escapes(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Output, l.Violations = 1000, 10 })
	file := func() *executor.File { return NewFile("a.js", "let x", Match{"a=x"}, Match{"a=x"}) }
	for name, code := range map[string]string{
		// The words of a typed array are not all of its properties.
		"the flat memory": `
			const leaked = [];
			const valueOf = Object.prototype.valueOf;
			Object.prototype.valueOf = function () { leaked.push(this); return 0; };
			for (const o of [match, match.get("a")]) {
				for (const key of Object.getOwnPropertySymbols(o)) {
					for (const v of ["buffer", "constructor", "__proto__"]) {
						try { o[key] = v; o._getId?.("a"); o.captures; o.text; o.start } catch {}
					}
				}
			}
			Object.prototype.valueOf = valueOf;
			for (const o of leaked) if (Object.prototype.toString.call(o) !== "[object Object]") console.log("got hold of", String(o));`,
		"internal functions": `
			const map = Array.prototype.map;
			Array.prototype.map = function (f) { console.log("got hold of", f); return []; };
			match.getMany("a"); match.capturesList;
			Array.prototype.map = map;`,
	} {
		res, _ := s.execute(rule(code), file())
		if res.Output != "" {
			t.Errorf("%s: %s", name, res.Output)
		}
		s.wantRight(nil)
	}
	for name, code := range map[string]string{
		"join":    "console.log(1); console.log(2); Array.prototype.join = () => 'x'.repeat(5000)",
		"indexOf": "Array.prototype.indexOf = () => 9; addError(buildError(1, 1, 1, 1, 'm').addFix(buildFix('f', [buildEditAdd(1, 1, 'x')])))",
	} {
		if res, err := s.execute(rule(code), one("a.js")); err != nil || len(res.Output) > 1000 {
			t.Errorf("%s: %d characters, %v", name, len(res.Output), err)
		}
	}
	for _, code := range []string{
		"const v = buildError(1, 1, 1, 1, 'm'); v.fixes = new Array(1e6).fill(buildFix('f', [])); addError(v)",
		"addError(buildError(1, 1, 1, 1, 'm').addFix(buildFix('f', new Array(1e6).fill(buildEditRemove(1, 1, 1, 1)))))",
	} {
		_, err := s.execute(rule(code), one("a.js"))
		s.want(err, executor.Script, "Uncaught RangeError: more than 100 fixes and edits")
	}
	// Looking for changes runs the getter that hides one.
	r := wellOn("Object.defineProperty(Array.prototype, 'map', { get() { throw 'not now' } })")
	if res, _ := s.execute(r, one("bad.js")); !res.Tampered {
		t.Error("a getter that throws hides that the rule has changed Array.prototype")
	}
	s.wantRight(r)
}
