//go:build linux

package worker

import (
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// Results larger than a pipe come while a request larger than a pipe goes: the
// worker does not read before its results are taken, so neither side may wait
// for the other.
func TestLargeBothWays(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	talks := rule("talks", "console.log('x'.repeat(3 << 20))")
	first, second := newTask("a.js", talks, talks), newTask("b.js", rule("b", "console.log(code.length)"))
	second.File.Text = strings.Repeat("x", 5<<20)
	waiting := []*executor.FileTask{first, second}
	next := func(bool) *executor.FileTask {
		if len(waiting) == 0 {
			return nil
		}
		task := waiting[0]
		waiting = waiting[1:]
		return task
	}
	if err := e.ExecuteFiles(t.Context(), next, func(*executor.FileTask) {}); err != nil {
		t.Fatal(err)
	}
	for _, p := range first.Result.Results {
		if p.Err != nil || len(p.Result.Output) != 3<<20 {
			t.Errorf("%d bytes, error %v", len(p.Result.Output), p.Err)
		}
	}
	if got := show(second.Result.Err, second.Result.Results); got != "b: 5242880\n" {
		t.Error(got)
	}
}
