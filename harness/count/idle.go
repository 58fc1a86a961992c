package count

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// awaitIdle returns when the process waits for its standard input, or has
// ended. Before that it is being loaded, and makes threads as a runtime does
// when it starts, more or fewer each time.
func awaitIdle(ctx context.Context, pid int) (ended bool, err error) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		ended, idle, err := look(pid)
		if ended || idle || err != nil {
			return ended, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, fmt.Errorf("process %d does not wait for its standard input: %w", pid, context.Cause(ctx))
		}
	}
}

func look(pid int) (ended, idle bool, err error) {
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return false, false, err
	}
	if state := stat[bytes.LastIndexByte(stat, ')')+1:]; bytes.HasPrefix(state, []byte(" Z")) {
		return true, false, nil
	}
	threads, err := tasks(pid)
	if err != nil {
		return false, false, err
	}
	reading := fmt.Sprintf("%d 0x0 ", unix.SYS_READ) // of descriptor 0
	for _, id := range threads {
		// The number and the arguments of the call that the thread is held in.
		call, err := os.ReadFile(procFile(pid, filepath.Join("task", fmt.Sprint(id), "syscall")))
		switch {
		case errors.Is(err, os.ErrPermission):
			return false, false, err
		case err == nil && strings.HasPrefix(string(call), reading):
			return false, true, nil
		}
	}
	return false, false, nil
}
