package measure

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// startOn calls start on a thread that is confined to the cores: a child keeps
// what the thread has that it comes from. No cores means no confinement.
func startOn(cores []int, start func() error) error {
	if len(cores) == 0 {
		return start()
	}
	var before, set unix.CPUSet
	for _, core := range cores {
		set.Set(core)
	}
	runtime.LockOSThread()
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("cores of this thread: %w", err)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		runtime.UnlockOSThread()
		return fmt.Errorf("confine to cores %v: %w", cores, err)
	}
	err := start()
	// A thread that stays confined is left locked, so that it ends with its
	// goroutine and disturbs no other.
	if unix.SchedSetaffinity(0, &before) == nil {
		runtime.UnlockOSThread()
	}
	return err
}
