package executortest

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// callbacks: the order of calls, and what they get.
func callbacks(t *testing.T, newExecutor New) {
	const two = "ab"
	s := start(t, newExecutor, nil)
	for _, c := range []struct {
		name, code, show, fail string
		visits                 int
	}{
		{
			"order", `
			console.log("top");
			function beforeAll() { console.log("before", arguments.length) }
			function visit(m) { console.log(m.get("a").text, arguments.length) }
			function afterAll() { console.log("after", arguments.length) }`,
			"top\nbefore 0\na 3\nb 3\nafter 0", "", 2,
		},
		{"matches for beforeAll", `
			function beforeAll(all) { console.log(arguments.length, all.map((m) => m.get("a").text).join()); all.length = 0 }
			const visit = (m) => console.log(m.get("a").text)`, "1 a,b\na\nb", "", 2},
		{"no argument for a parameter with a default", `
			function beforeAll(all = 1) { console.log(arguments.length, all) }
			function visit() {}`, "0 1", "", 2},
		{"the same nodes", `
			let first;
			function beforeAll(all) { first = all[0].get("a") }
			function visit(m) { console.log(m.get("a") === first) }`, "true\nfalse", "", 2},
		{"not functions", `const beforeAll = 1, afterAll = null; function visit() { console.log("v") }`, "v\nv", "", 2},
		{"the result is ignored", `function visit() { return [buildError(1, 1, 1, 1, "m")] }`, "", "", 2},
		{"findings outside of visit", `
			function beforeAll() { addError(buildError(1, 1, 1, 1, "before")) }
			function visit() {}
			function afterAll() { addError(buildError(1, 1, 1, 1, "after")) }`, "1:1-1:1 before\n1:1-1:1 after", "", 2},
		{"no visit", `function visits() {}`, "", "Uncaught ReferenceError: visit is not defined", 0},
		{"visit is not a function", `const visit = 1`, "", "Uncaught TypeError: visit is not a function", 1},
		{"throws in the second visit", `let n = 0; function visit() { if (++n === 2) throw "x" }`, "", "Uncaught x", 2},
		{"throws in beforeAll", `function beforeAll() { throw "x" } function visit() {}`, "", "Uncaught x", 0},
		{"throws in afterAll", `function visit() {} function afterAll() { throw "x" }`, "", "Uncaught x", 2},
		{"throws at the top", `throw "x"; function visit() {}`, "", "Uncaught x", 0},
		{"ends in a comment", "function visit() {} // end", "", "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject{s.Executor, t}
			res, err := s.execute(rule(c.code), NewFile("two.js", two, Match{"a=a"}, Match{"a=b"}))
			if c.fail != "" {
				s.want(err, executor.Script, c.fail)
			} else if got := show(res, err); got != c.show {
				t.Errorf("got\n%s\nwant\n%s", got, c.show)
			}
			if !res.Entered || res.Visits != c.visits {
				t.Errorf("entered: %v, %d visits, want %d", res.Entered, res.Visits, c.visits)
			}
		})
	}
	t.Run("no matches", func(t *testing.T) {
		before := s.Stats()
		res, err := s.Execute(t.Context(), rule("throw 1"), NewFile("none.js", "x"))
		if err != nil || res.Entered {
			t.Errorf("result %+v, error %v", res, err)
		}
		after := s.Stats()
		if after.Executions != before.Executions || after.Outcomes[executor.OK] != before.Outcomes[executor.OK]+1 {
			t.Errorf("counts %+v, before it were %+v", after, before)
		}
	})
}
