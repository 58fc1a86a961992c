//go:build !asan

package ddsa

import "testing"

func TestArmAllocatesNothing(t *testing.T) {
	w, guard := unstarted(t)
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { cycle(t, w, guard, ctx) }); n != 0 {
		t.Errorf("%v allocations per execution, want 0", n)
	}
}
