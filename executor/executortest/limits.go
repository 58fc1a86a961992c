package executortest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func repeat(s string, n int) string { return strings.Repeat(s, n) }

// limits: what is just allowed, and one more. Catching the error does not help.
func limits(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	d := executor.DefaultLimits()
	const violate = "addError(buildError(1, 1, 1, 1, 'm'))"
	for _, c := range []struct {
		name       string
		allowed    int
		code, fail string
	}{
		{"violations", d.Violations, "for (let i = 0; i < %d; i++) " + violate, "more than 10000 violations"},
		{"violations, caught", d.Violations, "for (let i = 0; i < %d; i++) try { " + violate + " } catch {}", "more than 10000 violations"},
		{"message", d.Message, "addError(buildError(1, 1, 1, 1, 'ö'.repeat(%d)))", "violation message of more than 1048576 characters"},
		{"description", d.Message, violate + "; addError(buildError(1, 1, 1, 1, 'm').addFix(buildFix('d'.repeat(%d), [])))", "fix description of more than 1048576 characters"},
		{"edit", d.Message, "addError(buildError(1, 1, 1, 1, 'm').addFix(buildFix('d', [buildEditAdd(1, 1, 'e'.repeat(%d))])))", "edit content of more than 1048576 characters"},
		{"output", d.Output - 1, "console.log('ö'.repeat(%d))", "console output of more than 4194304 characters"},
		{"output in pieces", d.Output / 1024, "for (let i = 0; i < %d; i++) console.log('o'.repeat(1023))", "console output of more than 4194304 characters"},
		{"output, caught", d.Output - 1, "try { console.log('o'.repeat(%d)) } catch {}", "console output of more than 4194304 characters"},
		{"all texts", 15, "for (let i = 0; i < %d; i++) addError(buildError(1, 1, 1, 1, 'ö'.repeat(1 << 20)))", "texts of more than 16777216 characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject{s.Executor, t}
			res, err := s.execute(rule(fmt.Sprintf(c.code, c.allowed)), one("limit.js"))
			if err != nil {
				t.Errorf("at the limit: %v", err)
			}
			size := len([]rune(res.Output)) + 1
			for _, v := range res.Violations {
				size += len([]rune(v.Message))
				for _, f := range v.Fixes {
					size += len(f.Description)
					for _, e := range f.Edits {
						size += len(*e.Content)
					}
				}
			}
			if size < c.allowed {
				t.Errorf("findings of %d characters, want at least %d", size, c.allowed)
			}
			res, err = s.execute(rule(fmt.Sprintf(c.code, c.allowed+1)), one("over.js"))
			s.want(err, executor.Script, "Uncaught RangeError: "+c.fail)
			if len(res.Violations) != 0 || res.Output != "" {
				t.Error("findings of a failed execution")
			}
			s.wantRight(nil)
		})
	}
}

// manyNodes: matches that need more memory than there was, nearly all that there
// is, and more.
func manyNodes(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, nil)
	r := rule("const n = match.get('a'); if (n.id % 100000 === 99999) console.log(n.id, n.start.line, n.end.col)")
	file := func(n int) *executor.File {
		f := NewFile("many.js", "x")
		m := executor.Matches{Count: n, Names: []string{"a"}}
		for i := range uint32(n) {
			m.Nodes = append(m.Nodes, i, 0, 0, 1, i, 1, i, 2, 0)
			m.Words = append(m.Words, 1, 0, i)
		}
		f.Tree = &Tree{Found: m}
		return f
	}
	for _, n := range []int{1, 1000, 200_000, 3} {
		res, err := s.execute(r, file(n))
		if err != nil {
			t.Fatal(err)
		}
		if lines := len(strings.Fields(res.Output)) / 3; lines != n/100_000 || res.Visits != n {
			t.Errorf("%d nodes: %d visits, output\n%s", n, res.Visits, res.Output)
		}
	}
	_, err := s.execute(r, file(1_500_000))
	s.want(err, executor.Memory, "the matches or findings do not fit in the memory shared with the rule")
	s.wantRight(nil)
	// Matches fill the memory almost to its end, so that findings do not fit.
	full := rule("if (match._getId('a') === 0) for (let i = 0; i < 10000; i++) addError(buildError(1, 1, 1, 1, 'm'))")
	_, err = s.execute(full, file(1_398_000))
	s.want(err, executor.Script, "Uncaught RangeError: results do not fit in memory")
	s.wantRight(nil)
}
