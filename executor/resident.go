package executor

// A Resident executor is quicker for a goroutine that holds it.
type Resident interface {
	Executor

	// Stay holds the executor for the calling goroutine, and locks that to its
	// OS thread, until it calls leave. In between it uses what Stay returns,
	// and nobody else can execute: others get ErrBusy, and Close, which ends
	// the execution under way, waits for leave. An executor that is busy or
	// closed is returned as it is, and its Execute says so.
	Stay() (stays Executor, leave func())
}

// Stay is ex's Stay, if it is Resident; if not, it stays what it is.
func Stay(ex Executor) (stays Executor, leave func()) {
	if r, ok := ex.(Resident); ok {
		return r.Stay()
	}
	return ex, func() {}
}
