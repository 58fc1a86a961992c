package executortest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// state: nothing that an execution leaves behind reaches the rule's next file,
// or another rule. On good.js each rule shows what it finds of its own traces.
func state(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	for _, c := range []struct {
		name, leave, look, show string
		tampered                bool
	}{
		{"global", "try { globalThis.x = 1 } catch {}", "typeof x", "undefined", false},
		{"rule's variable", "count = 1", "count", "0", false},
		{"function's property", "visit.x = 1", "visit.x", "undefined", false},
		{"class", "A.prototype.x = 1", "new A().x", "undefined", false},
		{"template object", "const f = (t) => t; f`x`", "Object.isFrozen(((t) => t)`x`)", "true", false},
		{"regular expression", "/(x)/.test('x')", "RegExp.$1", "undefined", false},
		{"lastIndex", "re.lastIndex = 1", "re.lastIndex", "0", false},
		{"position of a node", "match.get('a').start.line = 9", "match.get('a').start.line", "1", false},
		{"property of a node", "match.get('a').x = 9", "match.get('a').x", "undefined", false},
		{"cached name", "filename.length; code.length", "filename + code", "good.jsx", false},
		{"findings after a throw", "addError(buildError(1, 1, 1, 1, 'm')); console.log('left'); throw 1", "1", "1", false},
		{"microtask", "(async () => { await 0; count = 5; console.log('late'); addError(1) })()", "count", "0", false},
		{"microtask after a throw", "(async () => { await 0; count = 5; console.log('late') })(); throw 1", "count", "0", false},
		{"pending promise", "(async () => { await { then(f) { A.f = f } }; console.log('late') })()", "A.f", "undefined", false},
		{"symbol", "Symbol.for('s').description; try { Symbol.x = 1 } catch {}", "Symbol.x", "undefined", false},
		{"property of Math", "try { Math.max = 1 } catch {}", "typeof Math.max", "function", false},
		{"method of Map", "try { Map.prototype.get = 1 } catch {}", "typeof new Map().get", "function", false},
		{"generator", "try { Object.getPrototypeOf((function* () {})()).__proto__.next = 1 } catch {}", "typeof (function* () {})().next", "function", false},
		{"Array.isArray", "try { Array.isArray = 1 } catch {}", "typeof Array.isArray", "function", false},
		{"new key of Symbol.prototype", "try { Symbol.prototype.x = 1 } catch {}", "Symbol().x", "undefined", false},

		{"iterator", "try { Object.getPrototypeOf([].values()).next = 1 } catch {}", "typeof [].values().next", "function", true},
		{"new key of Array.prototype", "try { Array.prototype.x = 1 } catch {}", "[].x", "undefined", true},
		{"new key of Object.prototype", "try { Object.prototype.x = 1 } catch {}", "({}).x", "undefined", true},
		{"index of Object.prototype", "try { Object.prototype[0] = 1 } catch {}", "({})[0]", "undefined", true},
		{"prototype of Array.prototype", "try { Object.setPrototypeOf(Array.prototype, null) } catch {}", "typeof [].hasOwnProperty", "function", true},
		{"symbol of Array.prototype", "Array.prototype[Symbol.isConcatSpreadable] = false", "[].concat([1]).length", "1", true},
		{"symbol of Object.prototype", "Object.prototype[Symbol.toPrimitive] = () => 'x'", "`${{}}`", "[object Object]", true},
		{"hidden key of Array.prototype", "Object.defineProperty(Array.prototype, 'x', { value: 1 })", "[].x", "undefined", true},
		{"hidden key of RegExp.prototype", "Reflect.defineProperty(RegExp.prototype, 'y', { value: 1 })", "/x/.y", "undefined", true},
		{"getter of RegExp.prototype", "RegExp.prototype.__defineGetter__('global', () => 1)", "/x/.global", "false", true},
		{"getter of the same value", "const m = Array.prototype.map; Object.defineProperties(Array.prototype, { map: { get: () => m } })", "'value' in Object.getOwnPropertyDescriptor(Array.prototype, 'map')", "true", true},
		{"frozen prototype", "Object.freeze(Object.prototype)", "Object.isFrozen(Object.prototype)", "false", true},
		{"method of Array", "Array.prototype.map = null", "typeof [].map", "function", true},
		{"method of String", "String.prototype.trim = null", "typeof ''.trim", "function", true},
		{"method of Object", "Object.prototype.toString = null", "typeof ({}).toString", "function", true},
		{"method of Function", "Function.prototype.call = null", "typeof visit.call", "function", true},
		{"method of Promise", "Object.getPrototypeOf((async () => {})()).then = null", "typeof (async () => {})().then", "function", true},
		{"name of Error", "Error.prototype.name = 'X'", "new Error('m').toString()", "Error: m", true},
		{"deleted method", "delete Array.prototype.map", "typeof [].map", "function", true},
		{"getter", "Object.defineProperty(Array.prototype, 'map', { get: () => null })", "typeof [].map", "function", true},
		{"iterator of Array", "Array.prototype[Symbol.iterator] = null", "[...[1]].length", "1", true},
		{"exec", "RegExp.prototype.exec = null", "typeof /x/.exec", "function", true},
		{"split", "RegExp.prototype[Symbol.split] = null", "typeof /x/[Symbol.split]", "function", true},
		{"new key of RegExp.prototype", "RegExp.prototype.x = 1", "/x/.x", "undefined", true},
		{"prototype of RegExp.prototype", "Object.setPrototypeOf(RegExp.prototype, null)", "typeof /x/.hasOwnProperty", "function", true},
		{"the same by Reflect", "Reflect.setPrototypeOf(RegExp.prototype, null)", "typeof /x/.hasOwnProperty", "function", true},
		{"the same by __proto__", "Array.prototype.__proto__ = null", "typeof [].hasOwnProperty", "function", true},
		{"the same by its setter", "Reflect.getOwnPropertyDescriptor(Object.prototype, '__proto__').set.call(Array.prototype, null)", "typeof [].hasOwnProperty", "function", true},
		{"changed and thrown", "Array.prototype.map = null; throw 1", "typeof [].map", "function", true},
		{"changed in a microtask", "(async () => { await 0; Array.prototype.map = null })()", "typeof [].map", "function", true},
		{"changed in a microtask after a throw", "(async () => { await 0; Array.prototype.map = null })(); throw 1", "typeof [].map", "function", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject{s.Executor, t}
			r := rule(`
				class A {}
				let count = 0;
				const re = /x/g;
				function visit(match, filename, code) {
					if (filename == "good.js") return console.log(` + c.look + `);
					` + c.leave + `
				}`)
			for range 2 {
				good, bad := NewFile("good.js", "x", Match{"a=x"}), NewFile("bad.js", "x", Match{"a=x"})
				res, _ := s.execute(r, bad)
				if res.Tampered != c.tampered {
					t.Errorf("tampered: %v", res.Tampered)
				}
				s.wantRight(nil)
				res, err := s.execute(r, good)
				if got := show(res, err); got != c.show {
					t.Errorf("left behind: %s, want %s", got, c.show)
				}
				if res.Tampered != c.tampered {
					t.Errorf("afterwards: tampered: %v", res.Tampered)
				}
			}
		})
	}
}

// unnoticed: what the check for changed intrinsics does not find still reaches
// no other rule.
func unnoticed(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	other := rule("console.log(/x/.global, /x/g.flags, /x/.y)")
	for _, code := range []string{
		"delete RegExp.prototype.flags",
	} {
		if _, err := s.execute(rule(code), one("bad.js")); err != nil {
			t.Error(err)
		}
		s.wantShown(other, one("other.js"), "false g undefined")
	}
}

// troublemakers do all kinds of things, and something else on each file.
func troublemakers(n int) []*executor.Rule {
	bodies := []string{
		"console.log(filename, code.length)",
		"addError(buildError(1, 1, 1, 1 + filename.length, 'on ' + filename))",
		"if (filename == '1') throw new Error('x')",
		"if (filename == '2') Array.prototype.map = null; console.log([1].map((x) => x))",
		"if (filename == '3') RegExp.prototype.exec = () => null; console.log(/x/.test('x'))",
		"if (filename == '4') for (;;); console.log('on')",
		"(async () => { await 0; Array.prototype.push = null })(); [].push(1)",
		"console.log(/(.)/.exec(code)[1], RegExp.$1)",
		"const visit = 1; visit()",
		"not a script",
	}
	rules := make([]*executor.Rule, n)
	for i := range rules {
		rules[i] = rule(bodies[i%len(bodies)])
		rules[i].Name = fmt.Sprintf("set/rule-%d", i)
	}
	return rules
}

// anyOrder: the results are the same in whatever order rules and files come.
func anyOrder(t *testing.T, newExecutor New) {
	rules := troublemakers(20)
	var want map[[2]int]string
	for seed := range uint64(3) {
		s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = 500 * time.Millisecond })
		got := make(map[[2]int]string)
		r := rand.New(rand.NewPCG(seed, 0))
		for _, f := range r.Perm(5) {
			file := NewFile(fmt.Sprint(f), repeat("x", f+1), Match{})
			for _, i := range r.Perm(len(rules)) {
				got[[2]int{i, f}] = show(s.execute(rules[i], file))
			}
		}
		if want == nil {
			want = got
		}
		for pair, g := range got {
			if g != want[pair] {
				t.Errorf("seed %d: rule %d on file %d: got\n%s\nin another order it was\n%s", seed, pair[0], pair[1], g, want[pair])
			}
		}
	}
}

// manyRules: more rules than contexts are kept.
func manyRules(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	var rules []*executor.Rule
	for i := range 300 {
		rules = append(rules, rule(fmt.Sprintf("console.log(%d, filename)", i)))
	}
	for f := range 2 {
		file := one(fmt.Sprint(f))
		for i, r := range rules {
			s.wantShown(r, file, fmt.Sprintf("%d %d", i, f))
		}
	}
}
