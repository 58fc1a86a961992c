package executortest

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// An apiCase is a visit function's body and what it shows on apiFile. A case
// with fail is a script error whose first line that is.
type apiCase struct{ name, code, show, fail string }

// apiFile has a non-ASCII line, a capture that was hit twice, and names that
// are also names of Object.prototype.
func apiFile() *executor.File {
	return NewFile("src/ä.js", "var x = 1;\nf(\"😀\", ö);\n", Match{
		"stmt=var x = 1;", "part=x", "part=1", `str="😀"`, "arg=ö", "__proto__=f", "constructor=x",
	})
}

func api(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	for group, cases := range map[string][]apiCase{
		"match":     matchCases,
		"node":      nodeCases,
		"proxy":     proxyCases,
		"violation": violationCases,
		"fix":       fixCases,
		"console":   consoleCases,
		"global":    globalCases,
	} {
		for _, c := range cases {
			t.Run(group+"/"+c.name, func(t *testing.T) {
				s := subject{s.Executor, t}
				r := rule(c.code)
				r.Arguments = map[string]string{"max": "3", "__proto__": "p"}
				res, err := s.execute(r, apiFile())
				if c.fail != "" {
					s.want(err, executor.Script, c.fail)
					if res.Violations != nil || res.Output != "" {
						t.Errorf("a failed execution left %+v", res)
					}
				} else if got := show(res, err); got != c.show {
					t.Errorf("got\n%s\nwant\n%s", got, c.show)
				}
			})
		}
	}
}

var matchCases = []apiCase{
	{"get", `console.log(match.get("stmt").text, match.get("nope"))`, "var x = 1; undefined", ""},
	{"get the last of many", `console.log(match.get("part").text)`, "1", ""},
	{"getMany", `console.log(match.getMany("part").map((n) => n.text).join(), match.getMany("stmt").length, match.getMany("nope"))`, "x,1 1 undefined", ""},
	{"ids", `console.log(match._getId("part"), match._getManyIds("part").join(), match._getId("nope"), match._getManyIds("nope"))`, "2 1,2 undefined undefined", ""},
	{"captures", `const { stmt, part, nope } = match.captures; console.log(stmt.text, part.text, nope)`, "var x = 1; 1 undefined", ""},
	{"capturesList", `const { stmt, part, nope } = match.capturesList; console.log(stmt.length, part.length, part[0].text, nope)`, "1 2 x undefined", ""},
	{"names of captures", `console.log(Object.keys(match.captures).join())`, "stmt,part,str,arg,__proto__,constructor", ""},
	{"captures named as in Object.prototype", `console.log(match.captures.__proto__.text, match.captures.constructor.text, match.captures.toString, match.get("__proto__").text)`, "f x undefined f", ""},
	{"other properties", `console.log(match.foo, match[0])`, "undefined undefined", ""},
	{"a match is the rule's for the run", `match.note = 1; console.log(match.note)`, "1", ""},
	{"context", `const { code: c, filename: f, arguments: a } = match.context; console.log(f, c.length, c === String(code), a.max, a.nope, a.toString, a.__proto__)`, "src/ä.js 23 true 3 undefined undefined p", ""},
	{"context is frozen", `match.context.arguments.max = 4`, "", "Uncaught TypeError: Cannot assign to read only property 'max' of object '[object Object]'"},
}

var nodeCases = []apiCase{
	{"same object", `console.log(match.get("stmt") === match.captures.stmt, match.getMany("part")[0] === match.get("constructor"))`, "true true", ""},
	{"id", `console.log(match.get("stmt").id, match.get("part").id, match.get("constructor").id)`, "0 2 1", ""},
	{"text", `console.log(match.get("str").text, match.get("arg").text)`, `"😀" ö`, ""},
	{"columns are UTF-16 units", `const { start, end } = match.get("arg"); console.log(start, end)`, `{"line":2,"col":9} {"line":2,"col":10}`, ""},
	{"positions are kept", `const n = match.get("arg"); console.log(n.start === n.start, n.end === n.end, n.start !== n.end)`, "true true true", ""},
	{"without neighbours", `const n = match.get("arg"); console.log(ddsa.getChildren(n), n.children, ddsa.getParent(n), ddsa.findAncestor(n, () => true), ddsa.findDescendant(n, () => true))`, "[] [] undefined undefined undefined", ""},
	{"not a node", `ddsa.getParent({})`, "", "Uncaught TypeError: not a node"},
	{"getCodeForNode", `console.log(getCodeForNode(match.get("arg"), code))`, "ö", ""},
	{"getCode", `console.log(getCode({line: 2, col: 3}, {line: 2, col: 7}, code))`, `"😀"`, ""},
	{"getCode over lines", `console.log(JSON.stringify(getCode({line: 1, col: 9}, {line: 2, col: 2}, code)))`, `"1;\nf"`, ""},
	{"getCode beyond the end", `console.log(JSON.stringify(getCode({line: 3, col: 1}, {line: 9, col: 9}, code)))`, `""`, ""},
}

var proxyCases = []apiCase{
	{"typeof", `console.log(typeof filename, typeof code, typeof String(filename))`, "object object string", ""},
	{"properties", `console.log(filename.length, code.length, filename[4], code[0], filename.nope)`, "8 23 ä v undefined", ""},
	{"methods", `console.log(filename.endsWith(".js"), filename.split("/").length, code.indexOf("ö"), filename.toUpperCase())`, "true 2 19 SRC/Ä.JS", ""},
	{"to a string", "console.log(`${filename}`, filename + '!', String(filename), filename == 'src/ä.js')", "src/ä.js src/ä.js! src/ä.js true", ""},
	{"as an argument", `console.log(/ä/.test(filename), "x".concat(filename), ["src/ä.js"].includes(filename.toString()))`, "true xsrc/ä.js true", ""},
	{"iterated", `console.log([...filename].length, [...code].length)`, "8 22", ""},
	{"JSON", `console.log(JSON.stringify(filename), JSON.stringify({ filename }))`, `"src/ä.js" {"filename":"src/ä.js"}`, ""},
	{"printed", `console.log(filename, code)`, "src/ä.js var x = 1;\nf(\"😀\", ö);\n", ""},
	{"in", `console.log(0 in filename, 99 in filename, "trim" in filename)`, "true false true", ""},
	{"cannot be changed", `filename.x = 1`, "", "Uncaught TypeError: 'set' on proxy: trap returned falsish for property 'x'"},
	{"as a message", `addError(buildError(1, 1, 1, 2, filename))`, "1:1-1:2 src/ä.js", ""},
}
