package executortest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// budget is the time limit of executions that never end. overdue is when a
// timeout is too late even on a machine that is busy with other things; the
// time that it really takes is logged.
const (
	budget  = 50 * time.Millisecond
	overdue = 30 * time.Second
)

// endlessBodies never end by themselves. Where two loops follow each other, the
// second must not start: nobody would stop it.
var endlessBodies = []struct{ name, code string }{
	{"for", "for (;;);"},
	{"while", "let n = 0; while (true) n++"},
	{"calls", "const f = () => 1; for (;;) f()"},
	{"allocation", "for (;;) ({})"},
	{"in catch", "try { throw 1 } catch { for (;;); }"},
	{"in finally", "try { throw 1 } finally { for (;;); }"},
	{"catch around it", "for (;;) try { for (;;); } catch {}"},
	{"finally after it", "try { for (;;); } finally { for (;;); }"},
	{"catch and finally after it", "try { try { for (;;); } catch { for (;;); } } finally { for (;;); }"},
	{"errors without end", "for (;;) try { null.x } catch {}"},
	{"recursion without end", "const f = () => { try { f() } finally { f() } }; f()"},
	{"microtask", "(async () => { await 0; for (;;); })()"},
	{"microtasks without end", "(async () => { for (;;) await 0; })()"},
	{"microtask after a throw", "(async () => { await 0; for (;;); })(); throw 1"},
	{"microtask after it", "(async () => { await 0; for (;;); })(); for (;;);"},
	{"microtask after a loop in toString", "(async () => { await 0; for (;;); })(); throw { toString() { for (;;); } }"},
	{"async finally after it", "(async () => { try { await 0; for (;;); } finally { for (;;); } })()"},
	{"then of a thenable", "(async () => { await { then() { for (;;); } } })()"},
	{"getter of a violation", "const v = buildError(1, 1, 1, 1, 'm'); Object.defineProperty(v, 'message', { get() { for (;;); } }); addError(v)"},
	{"getter of a position", "Violation.new('m', { get start() { for (;;); } })"},
	{"getter of an edit", "addError(buildError(1, 1, 1, 1, 'm').addFix(buildFix('d', [{ get start() { for (;;); } }])))"},
	{"toString of a message", "buildError(1, 1, 1, 1, { toString() { for (;;); } })"},
	{"toJSON of output", "console.log({ toJSON() { for (;;); } })"},
	{"toString of what is thrown", "throw { toString() { for (;;); } }"},
	{"toPrimitive of what is thrown", "throw { [Symbol.toPrimitive]() { for (;;); } }"},
	{"stack of what is thrown", "throw { get stack() { for (;;); } }"},
	{"stack of an Error", "const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw e"},
	{"proxy that is thrown", "throw new Proxy({}, { get() { for (;;); } })"},
	{"proxy as prototype of what is thrown", "throw Object.create(new Proxy({}, { has() { for (;;); }, get() { for (;;); } }))"},
	{"getter in the place of an intrinsic", "Object.defineProperty(new Proxy(Array.prototype, {}), 'map', { get() { for (;;); } })"},
	{"getter in the place of an intrinsic, behind a loop", "(async () => {})(); Object.defineProperty(new Proxy(Array.prototype, {}), 'map', { get() { for (;;); } }); for (;;);"},
	{"getter in the place of an intrinsic, behind a microtask", "(async () => { await 0; Object.defineProperty(new Proxy(Array.prototype, {}), 'map', { get() { for (;;); } }); for (;;); })()"},
	{"regular expression", "/^(a+)+$/.test('a'.repeat(40) + 'b')"},
	{"replace", "'a'.replace(/a/, () => { for (;;); })"},
	{"sort", "[2, 1].sort(() => { for (;;); })"},
	{"JSON.stringify", "JSON.stringify({ toJSON() { for (;;); } })"},
	{"JSON.parse", "JSON.parse('[1]', () => { for (;;); })"},
	{"proxy", "new Proxy({}, { get() { for (;;); } }).x"},
	{"generator", "for (const _ of (function* () { for (;;) yield 1 })());"},
	{"iterator", "const [...all] = { [Symbol.iterator]: () => ({ next: () => { for (;;); } }) }"},
	{"iterator's return", "for (const _ of { [Symbol.iterator]: () => ({ next: () => ({}), return() { for (;;); } }) }) break"},
	{"class field", "new (class { x = (() => { for (;;); })() })()"},
	{"tagged template", "((t) => { for (;;); })`x`"},
}

// endlessRules never end, and have no file on which they are well.
var endlessRules = []struct{ name, code string }{
	{"at the top", "for (;;); function visit() {}"},
	{"beforeAll", "function beforeAll() { for (;;); } function visit() {}"},
	{"visit", "function visit() { for (;;); }"},
	{"afterAll", "function visit() {} function afterAll() { for (;;); }"},
	{"default parameter", "function visit(m = 1, f, c, d = (() => { for (;;); })()) {}"},
	{"instead of the callbacks", "return { get visit() { for (;;); } }"},
}

// times: the time inside V8 is measured for those who ask.
func times(t *testing.T, newExecutor New) {
	for _, ask := range []bool{false, true} {
		s := start(t, newExecutor, func(l *executor.Limits) { l.InV8 = ask })
		for range 2 { // once in a new context
			res, err := s.execute(wellBehaved, NewFile("a.js", "let ä = 1", Match{"a=ä"}))
			if err != nil || res.Elapsed <= 0 || res.InV8 > 0 != ask || res.InV8 > res.Elapsed {
				t.Errorf("asked: %v: result %+v, error %v", ask, res, err)
			}
		}
	}
}

// timeouts: all that a script can do happens within the deadline, its end is a
// timeout, and the next execution is right.
func timeouts(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = budget })
	check := func(name string, r, again *executor.Rule) {
		t.Run(name, func(t *testing.T) {
			s := subject{s.Executor, t}
			begin := time.Now()
			res, err := s.execute(r, one("bad.js"))
			took := time.Since(begin)
			if !s.late(err) || !errors.Is(err, executor.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("error %v, want a timeout", err)
			}
			if took > overdue {
				t.Errorf("took %v", took)
			}
			if len(res.Violations) != 0 || res.Output != "" || !res.Entered || res.InV8 > res.Elapsed || res.Elapsed > took {
				t.Errorf("result %+v", res)
			}
			t.Logf("%v late", took-budget)
			s.wantRight(again)
		})
	}
	for _, c := range endlessBodies {
		r := wellOn(c.code)
		check(c.name, r, r)
	}
	for _, c := range endlessRules {
		check(c.name, rule(c.code+"//visit"), nil)
	}
}

// hugeScript: compiling cannot be interrupted, but it is part of the execution:
// the verdict is a timeout, and nothing of the script runs.
func hugeScript(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Timeout = 2 * time.Millisecond })
	_, err := s.execute(rule("for (;;); function visit() { let x; "+repeat("x = (x + 1) * 2;\n", 1<<18)+"}"), one("huge.js"))
	if !s.late(err) {
		t.Errorf("error %v, want a timeout", err)
	}
}
