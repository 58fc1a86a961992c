//go:build linux

package worker

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// maxStderr bounds the file of memory that a worker's last words go to.
const maxStderr = 1 << 20

// harden gives up what a worker does not need, before it runs anything. What
// cannot be given up is none of its business: the parent has set
// no_new_privs.
func harden() {
	closeInherited()
	// The parent's business. Whoever stops a service sends them to all of its
	// processes, and the parent may have executions to finish.
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGTERM)
	// A limit of 1, and not of 0, also keeps a program from being started that
	// would be given the core.
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1})
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: maxStderr, Max: maxStderr})
	// When memory runs out, the worker goes and not its parent.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	// The goroutines of a worker that V8 took down say nothing.
	debug.SetTraceback("none")
}

// closeInherited closes the files that came from the parent: those, and no file
// that Go has opened since, are not closed on exec.
func closeInherited() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // no /proc, and nothing to be done
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= pageFD {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}

// limitMemory makes memory beyond all limits end the worker, should its parent
// come too late: four times the heap, to which V8 may raise the limit, buffers,
// and a GiB, on top of what the process has now.
func limitMemory(l executor.Limits) error {
	used, err := dataSize()
	if err != nil {
		return err
	}
	limit := used + 4*l.Heap + l.Buffers + 1<<30
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("worker: limit memory: %w", err)
	}
	return nil
}

// dataSize is what RLIMIT_DATA counts, in bytes.
func dataSize() (uint64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("worker: %w", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmData:"); ok {
			kb, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("worker: no VmData in %s", f.Name())
}

// exitWithParent ends the process when the parent's end of the requests is
// closed, also while a script runs.
func exitWithParent() {
	for {
		fds := []unix.PollFd{{Fd: requestsFD}} // a hang-up is always told
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		}
		unix.Exit(0)
	}
}
