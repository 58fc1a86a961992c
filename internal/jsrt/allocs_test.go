//go:build !race && !asan

package jsrt

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func TestExecuteAllocatesNothing(t *testing.T) {
	r, f, rule := newWatched(t, executor.DefaultLimits(), newArmed), one(), rule("match.context.filename.length")
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := r.Execute(ctx, rule, f); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per execution, want 0", n)
	}
}
