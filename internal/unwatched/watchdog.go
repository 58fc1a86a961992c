// Package unwatched is the reference arm "none": executions that nobody
// watches. It is for calibration only. Neither time limits nor contexts, the
// memory guard or Close can stop an execution, because none is ever armed.
package unwatched

import "github.com/ddsabench/ddsabench/internal/watch"

// Watchdog is a watch.Watchdog that does nothing.
type Watchdog struct{}

var _ watch.Watchdog = Watchdog{}

// Arm does nothing and never fails.
func (Watchdog) Arm(int64) error { return nil }

// Disarm returns watch.None.
func (Watchdog) Disarm() watch.Cause { return watch.None }

// Close does nothing.
func (Watchdog) Close() {}

// Threads returns 0, 0.
func (Watchdog) Threads() (started, ended uint64) { return 0, 0 }
