//go:build linux

package worker

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// The memory of a worker is known while there is one.
func TestResident(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	if n := e.Resident(); n < 5<<20 { // V8 alone takes more
		t.Errorf("%d bytes", n)
	}
	if err := e.Close(); err != nil || e.Resident() != 0 {
		t.Errorf("closed: %d bytes, %v", e.Resident(), err)
	}
}
