package executortest

var violationCases = []apiCase{
	{"buildError", `addError(buildError(1, 2, 3, 4, "m"))`, "1:2-3:4 m", ""},
	{"severity and category are the rule's", `addError(buildError(1, 2, 3, 4, "m", "ERROR", "SECURITY"))`, "1:2-3:4 m", ""},
	{"new with numbers", `addError(Violation.new("m", 1, 2, 3, 4))`, "1:2-3:4 m", ""},
	{"new with a node", `addError(Violation.new("m", match.get("arg")))`, "2:9-2:10 m", ""},
	{"new with positions", `addError(Violation.new("m", match.get("stmt").start, match.get("arg").end))`, "1:1-2:10 m", ""},
	{"new with a region", `addError(Violation.new("m", { start: { line: 1, col: 1 }, end: { line: 1, col: 1 } }))`, "1:1-1:1 m", ""},
	{"in order", `for (let i = 1; i < 4; i++) addError(buildError(i, 1, i, 1, "m" + i))`, "1:1-1:1 m1\n2:1-2:1 m2\n3:1-3:1 m3", ""},
	{"object as message", `addError(buildError(1, 1, 1, 1, { toString: () => "from an object" }))`, "1:1-1:1 from an object", ""},
	{"unusual text", `addError(buildError(1, 1, 1, 1, "a\nb\u0000c😀\ud800\nx\udc00"))`, "1:1-1:1 a\nb\x00c😀\ufffd\nx\ufffd", ""},
	{"text that looks like several", `addError(buildError(1, 1, 1, 1, "a\n\n1\n")); addError(buildError(1, 1, 1, 1, ""))`, "1:1-1:1 a\n\n1\n\n1:1-1:1 ", ""},
	{"largest position", `addError(buildError(4294967295, 0, 4294967295, 4294967295, "m"))`, "4294967295:0-4294967295:4294967295 m", ""},
	{"changed later", `const v = buildError(1, 1, 1, 1, "m"); addError(v); v.message = "n"; v.end.col = 5`, "1:1-1:5 n", ""},
	{"too large", `buildError(4294967296, 1, 1, 1, "m")`, "", "Uncaught TypeError: start.line is not a whole number: 4294967296"},
	{"fraction", `buildError(1, 1.5, 2, 1, "m")`, "", "Uncaught TypeError: start.col is not a whole number: 1.5"},
	{"negative", `buildError(1, 1, -1, 1, "m")`, "", "Uncaught TypeError: end.line is not a whole number: -1"},
	{"not a number", `buildError(1, 1, 1, NaN, "m")`, "", "Uncaught TypeError: end.col is not a whole number: NaN"},
	{"infinite", `buildError(1, 1, Infinity, 1, "m")`, "", "Uncaught TypeError: end.line is not a whole number: Infinity"},
	{"text as number", `buildError("1", 1, 1, 1, "m")`, "", "Uncaught TypeError: start.line is not a whole number: 1"},
	{"ends before it starts", `buildError(2, 1, 1, 9, "m")`, "", "Uncaught RangeError: violation ends before it starts: 2:1 > 1:9"},
	{"no positions", `Violation.new("m", {})`, "", "Uncaught TypeError: start is not a position"},
	{"no message", `addError(buildError(1, 1, 1, 1))`, "", "Uncaught TypeError: violation message is not a string"},
	{"not a violation", `addError({ start: { line: 1, col: 1 }, end: { line: 1, col: 1 }, message: "m", fixes: [] })`, "", "Uncaught TypeError: addError was given something that is not a violation"},
	{"broken later", `const v = buildError(1, 1, 1, 1, "m"); addError(v); v.end = 1`, "", "Uncaught TypeError: violation end is not a position"},
	{"changed while it is read", `
		const v = buildError(1, 1, 1, 1, "m");
		Object.defineProperty(v, "message", { get() { addError(buildError(2, 2, 2, 2, "late")); console.log("late"); return "m"; } });
		console.log("first"); addError(v); addError(buildError(3, 3, 3, 3, "last"));`, "first\n1:1-1:1 m\n3:3-3:3 last", ""},
	{"before a throw", `console.log("lost"); addError(buildError(1, 1, 1, 1, "lost")); throw "x"`, "", "Uncaught x"},
}

// fixed is a violation for the fix in f.
const fixed = `; const v = buildError(1, 1, 1, 1, "m"); addError(v); console.log(v.addFix(f) === v)`

var fixCases = []apiCase{
	{"add", `const f = buildFix("d", [buildEditAdd(1, 2, "t")])` + fixed, "true\n1:1-1:1 m\nfix: d ADD 1:2 \"t\"", ""},
	{"remove", `const f = buildFix("d", [buildEditRemove(1, 2, 3, 4)])` + fixed, "true\n1:1-1:1 m\nfix: d REMOVE 1:2-3:4", ""},
	{"update", `const f = buildFix("d", [buildEditUpdate(1, 2, 3, 4, "ü")])` + fixed, "true\n1:1-1:1 m\nfix: d UPDATE 1:2-3:4 \"ü\"", ""},
	{
		"any kind", `const f = Fix.new("d", [buildEdit(1, 2, 3, 4, "update", "t"), buildEdit(1, 2, 3, 4, "remove"), buildEdit(1, 2, 3, 4, "Add", "")])` + fixed,
		"true\n1:1-1:1 m\nfix: d UPDATE 1:2-3:4 \"t\" REMOVE 1:2-3:4 ADD 1:2 \"\"", "",
	},
	{"two fixes", `const f = buildFix("d", []); buildError(1, 1, 1, 1, "m").addFix(f)` + fixed + `; v.addFix(buildFix("e", []))`, "true\n1:1-1:1 m\nfix: d\nfix: e", ""},
	{"unknown kind", `const f = buildFix("d", [buildEdit(1, 2, 3, 4, "move")])` + fixed, "", "Uncaught TypeError: unknown kind of edit: MOVE"},
	{"no end", `const f = buildFix("d", [buildEditRemove(1, 2)])` + fixed, "", "Uncaught TypeError: edit end.line is not a whole number: undefined"},
	{"no text", `const f = buildFix("d", [buildEditAdd(1, 2)])` + fixed, "", "Uncaught TypeError: edit content is not a string"},
	{"no description", `const f = buildFix(undefined, [])` + fixed, "", "Uncaught TypeError: fix description is not a string"},
	{"no list", `const f = buildFix("d", buildEditAdd(1, 2, "t"))` + fixed, "", "Uncaught TypeError: fix edits are not a list"},
	{"no edit", `const f = buildFix("d", [null])` + fixed, "", "Uncaught TypeError: fix edit is not an object"},
	{"no fix", `const f = undefined` + fixed, "", "Uncaught TypeError: violation fix is not an object"},
	{"no list of fixes", `const f = buildFix("d", [])` + fixed + `; v.fixes = { length: 1.5 }`, "", "Uncaught TypeError: violation fixes are not a list"},
	{"list of changing length", `
		let n = 0;
		const f = buildFix("d", new Proxy([], { get: (_, key) => (key === "length" ? ++n : undefined) }))` + fixed, "", "Uncaught TypeError: fix edit is not an object"},
}

var consoleCases = []apiCase{
	{"nothing", `console.log()`, "", ""},
	{"plain values", `console.log("a b", 1, -0, NaN, true, null, undefined, 10n, Symbol("s"))`, "a b 1 0 NaN true null undefined 10 Symbol(s)", ""},
	{"objects", `console.log({ a: [1, "x", null] }, [], new Map())`, `{"a":[1,"x",null]} [] {}`, ""},
	{"functions", `console.log(() => 1)`, "() => 1", ""},
	{"no JSON for it", `console.log({ toJSON() {} })`, "undefined", ""},
	{
		"nodes", `console.log(match.get("part"), { n: match.get("arg") })`,
		`{"cstType":"","start":{"line":1,"col":9},"end":{"line":1,"col":10},"text":"1"} ` +
			`{"n":{"cstType":"","start":{"line":2,"col":9},"end":{"line":2,"col":10},"text":"ö"}}`, "",
	},
	{"lines", `console.log("a\nb"); console.log(""); console.log("c")`, "a\nb\n\nc", ""},
	{"unusual text", `console.log("\u0000😀\ud800"); console.log("\udc00")`, "\x00😀\ufffd\n\ufffd", ""},
	{"circular", `const o = {}; o.o = o; console.log(o)`, "", "Uncaught TypeError: Converting circular structure to JSON"},
	{"nothing but log", `console.warn("x")`, "", "Uncaught TypeError: console.warn is not a function"},
}
