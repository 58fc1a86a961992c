package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
)

// A workload is a rule and a file that it runs over.
type workload struct {
	name string
	rule *executor.Rule
	file *executor.File
	// What an execution must come to.
	visits, violations int
}

const (
	untouched = `function visit(match) {}`
	touched   = `
		let sum = 0;
		function visit(match) {
			const node = match.get("node");
			sum += node.start.line + node.end.col + node.text.length;
		}`
	readsText = `
		function visit(match, filename, code) {
			if (code.indexOf("\u0000") >= 0) throw new Error("there is one");
		}`
)

// noop enters V8 and goes through the whole wrapper and every check. Its one
// match captures nothing: without a match the pair would not be an execution.
var noop = workload{"noop", newRule("noop", untouched), executortest.NewFile("a.js", "x", executortest.Match{}), 1, 0}

// workloads are all of them, by what they stress.
func workloads() []workload {
	list := []workload{noop}
	for _, n := range []int{1, 10, 1000} {
		file := matches(n)
		list = append(list,
			workload{fmt.Sprintf("untouched-%d", n), newRule("untouched", untouched), file, n, 0},
			workload{fmt.Sprintf("touched-%d", n), newRule("touched", touched), file, n, 0})
	}
	for _, kb := range []int{1, 20, 200} {
		list = append(list,
			workload{fmt.Sprintf("text-%dkB", kb), newRule("text", readsText), textFile(kb, "-"), 1, 0},
			workload{fmt.Sprintf("text-%dkB-utf8", kb), newRule("text", readsText), textFile(kb, "→"), 1, 0})
	}
	for _, n := range []int{1, 100} {
		code := fmt.Sprintf(`
			function visit() {
				for (let i = 1; i <= %d; i++) addError(buildError(i, 1, i, 9, "Declare this variable with const."));
			}`, n)
		list = append(list, workload{fmt.Sprintf("violations-%d", n), newRule("violations", code), noop.file, 1, n})
	}
	return list
}

func newRule(name, code string) *executor.Rule {
	return &executor.Rule{Name: "bench/" + name, Language: executor.JavaScript, Code: code}
}

// matches is a file in which each rule has n matches with a node of its own.
func matches(n int) *executor.File {
	var text strings.Builder
	var all []executortest.Match
	for i := range n {
		node := fmt.Sprintf("name%04d", i)
		fmt.Fprintf(&text, "var %s = 1;\n", node)
		all = append(all, executortest.Match{"node=" + node})
	}
	return executortest.NewFile("a.js", text.String(), all...)
}

// textFile is a file of kb * 1000 bytes with mark in each line. It has no ID, so
// that each execution is the first that sees it, and has the text copied into V8.
func textFile(kb int, mark string) *executor.File {
	line := "const value = compute(first, second); // " + mark + " and so on\n"
	text := strings.Repeat(line, kb*1000/len(line))
	text += strings.Repeat(" ", kb*1000-len(text))
	file := executortest.NewFile("a.js", text, executortest.Match{})
	file.ID = 0
	return file
}

// open makes an executor that runs the workload under the watchdog. Close it.
func (w workload) open(t testing.TB, dog watchdog) *subject {
	t.Helper()
	e, err := dog.newExecutor(executor.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	run := func(n int) {
		stays, leave := executor.Stay(e)
		defer leave()
		for range n {
			if _, err := stays.Execute(ctx, w.rule, w.file); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &subject{run: run, close: func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}}
}

// Each workload does what its name says, under each watchdog.
func TestWorkloads(t *testing.T) {
	for _, dog := range watchdogs {
		e, err := dog.newExecutor(executor.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range workloads() {
			for range 3 {
				res, err := e.Execute(t.Context(), w.rule, w.file)
				if err != nil || !res.Entered || res.Visits != w.visits || len(res.Violations) != w.violations {
					t.Errorf("%s, %s: entered %v, %d visits, %d violations, error %v",
						dog.name, w.name, res.Entered, res.Visits, len(res.Violations), err)
				}
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
