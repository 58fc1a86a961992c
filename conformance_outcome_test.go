package ddsabench_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

// What a rule cannot see of itself: its output, its findings as others get
// them, and bytes that YAML cannot hold.
var outcomes = []struct {
	name, query, code, text string
	output                  string
	violations              []executor.Violation
	fails                   bool
}{
	{
		name: "console prints nodes", query: "(call_expression) @call", text: "f(é);",
		code:   `function visit(m) { console.log("n:", ...ddsa.getChildren(m.get("call")), m.get("call")) }`,
		output: `n: {"cstType":"identifier","fieldName":"function","start":{"line":1,"col":1},"end":{"line":1,"col":2},"text":"f"} {"cstType":"arguments","fieldName":"arguments","start":{"line":1,"col":2},"end":{"line":1,"col":5},"text":"(é)"} {"cstType":"call_expression","start":{"line":1,"col":1},"end":{"line":1,"col":5},"text":"f(é)"}`,
	},
	{
		name: "console prints nodes inside of values", query: "(number) @n", text: "1",
		code:   `function visit(m) { console.log({ list: [m.get("n")], of: undefined }, [undefined, null]) }`,
		output: `{"list":[{"cstType":"number","start":{"line":1,"col":1},"end":{"line":1,"col":2},"text":"1"}]} [null,null]`,
	},
	{
		name: "console prints plain values", query: "(number) @n", text: "1",
		code:   `function visit(m, filename, code) { console.log("a", 1, true, null, undefined, 10n, filename, code) } function afterAll() { console.log("b") }`,
		output: "a 1 true null undefined 10 a.js 1\nb",
	},
	{
		name: "console cannot print a circle", query: "(number) @n", text: "1", fails: true,
		code: `function visit() { const o = {}; o.o = o; console.log(o) }`,
	},
	{
		name: "invalid UTF-8", query: "(identifier) @id", text: "'\xff\xf0\x9f\x98'; a; /* \xe2\x82 */ b\xc3",
		code:   `function visit(m, f, code) { const n = m.get("id"); console.log(n.start.col, n.end.col, n.text, code.length, getCode(n.start, n.end, code)) }`,
		output: "7 8 a 19 a\n18 20 b\ufffd 19 b\ufffd",
	},
	{
		name: "zero bytes", query: "(string) @s", text: "'\x00'",
		code:   `function visit(m) { console.log(JSON.stringify(m.get("s").text), m.get("s").end.col) }`,
		output: `"'\u0000'" 4`,
	},
	{
		name: "violations and fixes", query: "(identifier) @id", text: "'😀'; a\r\n",
		code: `function visit(m) {
			const { start, end } = m.get("id");
			addError(Violation.new("m", m.get("id"))
				.addFix(buildFix("add", [buildEditAdd(start.line, start.col, "x")]))
				.addFix(buildFix("others", [
					buildEdit(1, 1, 1, 2, "remove", "not used"),
					buildEditUpdate(start.line, start.col, end.line, end.col, "ü")])));
		}`,
		violations: []executor.Violation{{
			Start: executor.Position{Line: 1, Col: 7}, End: executor.Position{Line: 1, Col: 8}, Message: "m",
			Fixes: []executor.Fix{
				{Description: "add", Edits: []executor.Edit{{Kind: "ADD", Start: executor.Position{Line: 1, Col: 7}, Content: ptr("x")}}},
				{Description: "others", Edits: []executor.Edit{
					{Kind: "REMOVE", Start: executor.Position{Line: 1, Col: 1}, End: &executor.Position{Line: 1, Col: 2}},
					{Kind: "UPDATE", Start: executor.Position{Line: 1, Col: 7}, End: &executor.Position{Line: 1, Col: 8}, Content: ptr("ü")},
				}},
			},
		}},
	},
	{
		name: "one bad edit fails the execution", query: "(number) @n", text: "1", fails: true,
		code: `function visit(m) { addError(Violation.new("good", m.get("n"))); addError(Violation.new("bad", m.get("n")).addFix(buildFix("d", [buildEditRemove(1, 1)]))) }`,
	},
	{
		name: "unknown kind of edit", query: "(number) @n", text: "1", fails: true,
		code: `function visit(m) { addError(Violation.new("bad", m.get("n")).addFix(buildFix("d", [buildEdit(1, 1, 1, 1, "move", "")]))) }`,
	},
	{
		name: "no message", query: "(number) @n", text: "1", fails: true,
		code: `function visit(m) { addError(Violation.new(undefined, m.get("n"))) }`,
	},
	{
		name: "not a violation", query: "(number) @n", text: "1", fails: true,
		code: `function visit() { addError({ message: "m" }) }`,
	},
	{
		name: "findings before a throw are dropped", query: "(number) @n", text: "1; 2", fails: true,
		code: `let n = 0; function visit(m) { console.log("lost"); addError(Violation.new("lost", m.get("n"))); if (++n == 2) throw n }`,
	},
	{
		name: "no visit", query: "(number) @n", text: "1", fails: true,
		code: `const nothing = 1`,
	},
	{
		name: "no match, no execution", query: "(number) @n", text: "a",
		code: `throw "never runs"`,
	},
	{
		name: "arguments", query: "(number) @n", text: "1",
		code:   `function visit(m) { console.log(m.context.arguments.max, m.context.arguments.nope, __RUST_BRIDGE__context.ruleCtx.getArgument("max")) }`,
		output: "3 undefined 3",
	},
}

func ptr(s string) *string { return &s }

func TestConformanceOutcomes(t *testing.T) {
	var all []*executor.Rule
	for _, c := range outcomes {
		all = append(all, &executor.Rule{
			Name: "conformance/" + c.name, Language: executor.JavaScript, Query: c.query, Code: c.code,
			Arguments: map[string]string{"max": "3"},
		})
	}
	p := newParser(t, all)
	for _, arm := range watched {
		ex := newArm(t, arm)
		for i, c := range outcomes {
			t.Run(arm+"/"+c.name, func(t *testing.T) {
				file, err := p.Parse("a.js", executor.JavaScript, c.text)
				if err != nil {
					t.Fatal(err)
				}
				res, err := ex.Execute(t.Context(), all[i], file)
				if c.fails != errors.Is(err, executor.ErrScript) || !c.fails && err != nil {
					t.Errorf("error %v", err)
				}
				if res.Output != c.output {
					t.Errorf("got  %s\nwant %s", res.Output, c.output)
				}
				if diff := cmp.Diff(c.violations, res.Violations); diff != "" {
					t.Errorf("violations: -want +got\n%s", diff)
				}
			})
		}
	}
}

// Functions are objects. What a rule puts on those of the API, or on their
// prototypes, does not reach its next file.
func TestConformanceKeepsNothing(t *testing.T) {
	rule := &executor.Rule{Name: "conformance/marks", Language: executor.JavaScript, Query: "(number) @n", Code: `
		function visit(m) {
			let found = 0, marked = 0;
			const seen = new Set();
			const pending = [buildError, buildEdit, buildEditAdd, buildEditRemove, buildEditUpdate, buildFix, addError,
				getCode, getCodeForNode, Violation, Fix, console, ddsa, __RUST_BRIDGE__context, STELLA_COMPAT_FILENAME,
				Object.getPrototypeOf(m), Object.getPrototypeOf(m.get("n")), m.context];
			while (pending.length > 0) {
				const o = pending.pop();
				if ((typeof o !== "object" && typeof o !== "function") || o === null || seen.has(o)) continue;
				if (o === Object.prototype || o === Function.prototype) continue;
				seen.add(o);
				if (Object.hasOwn(o, "mark")) found++;
				try { o.mark = 1; marked++; } catch {}
				for (const d of Object.values(Object.getOwnPropertyDescriptors(o))) pending.push(d.value, d.get, d.set);
			}
			console.log(seen.size > 50, found, marked);
		}`}
	p := newParser(t, []*executor.Rule{rule})
	ex := newArm(t, "ddsa")
	for range 2 {
		file, err := p.Parse("a.js", executor.JavaScript, "1")
		if err != nil {
			t.Fatal(err)
		}
		res, err := ex.Execute(t.Context(), rule, file)
		if err != nil || res.Output != "true 0 0" {
			t.Errorf("output %q (objects enough, marks found, marks made), error %v", res.Output, err)
		}
	}
}
