package executortest

import (
	"errors"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// heap is a limit that is soon reached: V8 collects garbage ever more often on
// the way.
const heap = 16 << 20

// memoryErrors: a heap that grows step by step is a memory error, and the
// executor can be used as before. In one jump it may abort V8: that is what
// worker processes are for.
func memoryErrors(t *testing.T, newExecutor New) {
	s := start(t, newExecutor, func(l *executor.Limits) { l.Heap = heap })
	for _, c := range []struct{ name, code string }{
		{"objects", "const a = []; for (;;) a.push({ x: 1, y: [2] })"},
		{"strings", "const a = []; for (let i = 0; ; i++) a.push('x'.repeat(1000) + i)"},
		{"map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })"},
		{"properties", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i"},
		{"array without gaps", "const a = []; for (let i = 0; ; i++) a[i] = i + 0.5"},
		{"in a microtask", "(async () => { await 0; const a = []; for (;;) a.push({ x: 1 }) })()"},
		{"in toString", "throw { toString() { const a = []; for (;;) a.push({ x: 1 }) } }"},
		{"nodes", "const a = []; for (;;) a.push(match.context, filename + code.length + a.length, buildError(1, 1, 1, 1, 'm'))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject{s.Executor, t}
			r := wellOn(c.code)
			res, err := s.execute(r, one("bad.js"))
			var e *executor.Error
			if !errors.As(err, &e) || !errors.Is(err, executor.ErrMemory) || e.HeapLimit != heap {
				t.Fatalf("result %+v, error %v", res, err)
			}
			s.wantRight(r)
		})
	}
	t.Run("many in a row", func(t *testing.T) {
		s := subject{s.Executor, t}
		r := wellOn("const a = []; for (;;) a.push({ x: 1 })")
		for range 10 {
			if _, err := s.execute(r, one("bad.js")); !errors.Is(err, executor.ErrMemory) {
				t.Fatal(err)
			}
		}
		s.wantRight(r)
		// What fitted before fits again.
		s.wantShown(rule("const a = []; for (let i = 0; i < 100000; i++) a.push({ x: 1 }); console.log(a.length)"), one("big.js"), "100000")
	})
}
