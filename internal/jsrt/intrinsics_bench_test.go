package jsrt

import (
	"math"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/v8"
)

var everyday = []struct{ name, code string }{
	{"replace", `let s = "abc foo bar ".repeat(100); for (let i = 0; i < 100; i++) s.replace(/o+/g, "x");`},
	{"replace with function", `let s = "abc foo bar ".repeat(100); for (let i = 0; i < 100; i++) s.replace(/o+/g, (m) => m + 1);`},
	{"test", `let n = 0; for (let i = 0; i < 10000; i++) if (/fo+/.test("abc foo bar")) n++;`},
	{"exec", `let n = 0; for (let i = 0; i < 10000; i++) if (/f(o+)/.exec("abc foo bar")) n++;`},
	{"match", `let n = 0; for (let i = 0; i < 10000; i++) if ("abc foo bar".match(/f(o+)/)) n++;`},
	{"matchAll", `let n = 0; for (let i = 0; i < 1000; i++) for (const m of "foo fo fooo".matchAll(/f(o+)/g)) n += m.index;`},
	{"search", `let n = 0; for (let i = 0; i < 10000; i++) n += "abc foo bar".search(/fo+/);`},
	{"split", `let s = "abc foo bar ".repeat(100); for (let i = 0; i < 100; i++) s.split(/ /);`},
	{"split by text", `let s = "abc foo bar ".repeat(100); for (let i = 0; i < 100; i++) s.split(" ");`},
	{"holey array", `let a = new Array(1000); for (let i = 0; i < 1000; i += 2) a[i] = i; let n = 0; for (let k = 0; k < 1000; k++) for (let i = 0; i < 1000; i++) if (a[i] !== undefined) n++;`},
	{"array writes", `let a = []; for (let k = 0; k < 10; k++) for (let i = 0; i < 10000; i++) a[i] = i + k;`},
	{"integer keys", `let o = {}; for (let k = 0; k < 10; k++) for (let i = 0; i < 1000; i++) o[i] = i + k;`},
	{"toString, call, apply", `let n = 0; const f = (x) => x; for (let i = 0; i < 10000; i++) n += f.call(null, i) + f.apply(null, [i]) + f.bind(null)(i) + (i).toString().length;`},
	{"spread", `let a = [1,2,3,4,5,6]; for (let i = 0; i < 10000; i++) { const b = [...a, ...a]; }`},
	{"for-of", `let a = new Array(1000).fill(1); let n = 0; for (let k = 0; k < 1000; k++) for (const x of a) n += x;`},
	{"destructuring", `let n = 0; for (let i = 0; i < 1e6; i++) { const [a, b] = [i, 1]; n += a + b; }`},
	{"map and filter", `let a = new Array(1000).fill(1); for (let k = 0; k < 100; k++) a.map(x => x + 1).filter(x => x > 1);`},
	{"push, join, sort", `for (let k = 0; k < 100; k++) { const a = []; for (let i = 0; i < 100; i++) a.push(i * 7 % 13); a.sort((x, y) => x - y).concat(a).slice(1).join(); }`},
	{"Map and Set", `let m = new Map(), s = new Set(); for (let i = 0; i < 10000; i++) { m.set(i, i); s.add(i % 7); } let n = 0; for (const [k, v] of m) n += v; for (const k of s) n += k;`},
	{"objects", `for (let i = 0; i < 10000; i++) { const o = {a: 1, b: 2}; o.c = 3; for (const k in o) o[k]++; }`},
	{"entries", `for (let i = 0; i < 1000; i++) { const o = {a: 1, b: 2}; for (const [k, v] of Object.entries({...o, c: 3})) o[k] = v; }`},
	{"classes", `class A { #x = 1; get x() { return this.#x; } } class B extends A { y() { return super.x; } } let n = 0; for (let i = 0; i < 10000; i++) n += new B().y();`},
	{"closures", `const f = (x) => () => x; let n = 0; for (let i = 0; i < 1e6; i++) n += f(i)();`},
	{"characters", `let s = ""; for (let i = 0; i < 10000; i++) s += String.fromCharCode(65 + i % 26); let n = 0; for (let i = 0; i < s.length; i++) n += s.charCodeAt(i);`},
	{"charAt", `const s = "a bcde"; let n = 0; for (let i = 0; i < 10000; i++) n += s.charAt(i % 6).length;`},
	{"toLowerCase", `const s = "A Bcde"; let n = 0; for (let i = 0; i < 10000; i++) n += s.toLowerCase().length;`},
	{"trim", `const s = " A Bcde"; let n = 0; for (let i = 0; i < 10000; i++) n += s.trim().length;`},
	{"padStart", `const s = "A"; let n = 0; for (let i = 0; i < 10000; i++) n += s.padStart(3).length;`},
	{"substring, indexOf", `const s = "A Bcde"; let n = 0; for (let i = 0; i < 10000; i++) n += s.substring(s.indexOf("B")).length + s.slice(1, 3).length;`},
	{"startsWith, includes", `const s = "A Bcde"; let n = 0; for (let i = 0; i < 10000; i++) n += s.startsWith("A") + s.endsWith("x") + s.includes("cd");`},
	{"templates", "let s = ''; for (let i = 0; i < 10000; i++) s = `${i}:${s.length}`;"},
	{"JSON", `for (let i = 0; i < 1000; i++) JSON.parse(JSON.stringify({a: [1, "x"], b: {c: null}}));`},
	{"errors", `let n = 0; for (let i = 0; i < 1000; i++) try { throw new TypeError("x"); } catch (e) { n += e.message.length; }`},
	{"generators", `let n = 0; for (let i = 0; i < 1000; i++) for (const x of (function* () { yield 1; yield 2; })()) n += x;`},
	{"symbols", `let n = 0; const o = { [Symbol.toPrimitive]: () => 1 }; for (let i = 0; i < 10000; i++) n += +o + Symbol.iterator.description.length;`},
}

// BenchmarkIntrinsics compares everyday scripts in a rule's context, whose
// intrinsics are locked, with a bare one. What counts is x-bare: the ratio of
// the smallest times, so that a busy machine does not matter.
func BenchmarkIntrinsics(b *testing.B) {
	setup := v8.NewSetup("return (f) => { if (f) f().visit(); }")
	defer setup.Dispose()
	for _, w := range everyday {
		b.Run(w.name, func(b *testing.B) {
			bare, end := bareContext(b, setup, w.code)
			defer end()
			r, f := newRuntime(b, executor.DefaultLimits()), one()
			rule := rule(w.code)
			inBare := func() { bare(b) }
			inRule := func() { execute(b, r, rule, f) }
			for range 200 { // until V8 has compiled it
				inBare()
				inRule()
			}
			least, leastBare := math.Inf(1), math.Inf(1)
			for b.Loop() {
				leastBare = min(leastBare, timed(inBare))
				least = min(least, timed(inRule))
			}
			b.ReportMetric(least, "rule-ns")
			b.ReportMetric(leastBare, "bare-ns")
			b.ReportMetric(least/leastBare, "x-bare")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// bareContext compiles code in a context with V8's own intrinsics.
func bareContext(b *testing.B, setup *v8.Setup, code string) (call func(testing.TB), end func()) {
	iso, err := v8.NewIsolate(v8.Options{Heap: executor.DefaultLimits().Heap, Memory: 1 << 12, Setup: setup})
	if err != nil {
		b.Fatal(err)
	}
	c, err := iso.NewContext("")
	if err != nil {
		b.Fatal(err)
	}
	f, err := c.Compile(v8.Source{Name: "rule", Body: "\"use strict\"; function visit() {" + code + "} return { visit };"})
	if err != nil {
		b.Fatal(err)
	}
	call = func(t testing.TB) {
		if _, err := f.Call(&v8.File{}); err != nil {
			t.Fatal(err)
		}
	}
	return call, func() { _, _, _ = f.Dispose(), c.Dispose(), iso.Dispose() }
}

// timed is how long f takes, in nanoseconds.
func timed(f func()) float64 {
	start := time.Now()
	f()
	return float64(time.Since(start))
}
