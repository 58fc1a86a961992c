package jsrt

import (
	"context"
	"runtime"

	"github.com/ddsabench/ddsabench/executor"
)

var _ executor.Resident = (*Runtime)(nil)

// A resident is a runtime whose running is held, with its isolate entered.
type resident struct{ *Runtime }

// Stay implements executor.Resident: entering an isolate takes a lock and memory
// of V8's, which is a tenth of an execution that does nothing.
func (r *Runtime) Stay() (executor.Executor, func()) {
	if !r.running.TryLock() {
		return r, func() {}
	}
	runtime.LockOSThread()
	leave, err := r.isolate.Stay()
	if err != nil { // Close has come and gone
		runtime.UnlockOSThread()
		r.running.Unlock()
		return r, func() {}
	}
	return resident{r}, func() {
		leave()
		runtime.UnlockOSThread()
		r.running.Unlock()
	}
}

// Execute implements executor.Executor, on the goroutine that called Stay.
func (r resident) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	return r.run(ctx, rule, file)
}
