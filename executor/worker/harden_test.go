//go:build linux

package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// A worker keeps none of its parent's files, has a group of its own and can
// gain no privileges.
func TestWorkerIsHardened(t *testing.T) {
	// A file that is not closed on exec, as one that the shell opened.
	leak, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	if _, err := unix.FcntlInt(leak.Fd(), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DDSABENCH_SECRET", "x")
	t.Setenv("TZ", "Asia/Tokyo")
	before := withoutPrivileges(t)
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	if got := run1(t, e, "a.js", "x", rule("a", "console.log(new Date(0).getHours())")); got != "a: 9\n" {
		t.Errorf("the time zone: %s", got)
	}
	proc := fmt.Sprintf("/proc/%d/", e.PID())
	entries, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		target, err := os.Readlink(proc + "fd/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		// Go's own, the last ones for its number of threads.
		if fd > pageFD && !strings.HasPrefix(target, "anon_inode:[event") && !strings.HasPrefix(filepath.Base(target), "cpu.") {
			t.Errorf("descriptor %d is %s", fd, target)
		}
	}
	environ, err := os.ReadFile(proc + "environ")
	if err != nil || strings.Contains(string(environ), "SECRET") {
		t.Errorf("environment %q, error %v", environ, err)
	}
	status, err := os.ReadFile(proc + "status")
	if err != nil || !strings.Contains(string(status), "NoNewPrivs:\t1") {
		t.Errorf("status %s, error %v", status, err)
	}
	if group, err := unix.Getpgid(e.PID()); group != e.PID() {
		t.Errorf("process group %d of process %d, error %v", group, e.PID(), err)
	}
	if adjusted, err := os.ReadFile(proc + "oom_score_adj"); strings.TrimSpace(string(adjusted)) != "500" {
		t.Errorf("oom_score_adj %q, error %v", adjusted, err)
	}
	limits, err := os.ReadFile(proc + "limits")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(limits)) {
		for name, most := range map[string]uint64{"Max core file size": 1, "Max file size": maxStderr, "Max data size": 8 << 30} {
			value, ok := strings.CutPrefix(line, name)
			if !ok {
				continue
			}
			if n, err := strconv.ParseUint(strings.Fields(value)[1], 10, 64); err != nil || n > most {
				t.Errorf("%s, want at most %d", line, most)
			}
		}
	}
	// In the parent only the thread that starts workers has given anything up.
	if n := withoutPrivileges(t); n > before+1 {
		t.Errorf("%d threads of the parent can gain no privileges, %d before", n, before)
	}
}

// withoutPrivileges counts the threads that can gain no privileges. Where that is
// so for the whole process, it shows nothing.
func withoutPrivileges(t *testing.T) (n int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if status, _ := os.ReadFile(task); strings.Contains(string(status), "NoNewPrivs:\t1") { // it may have ended
			n++
		}
	}
	return n
}

// All threads of a worker in the background have their low priority, and those
// of others their usual one.
func TestBackground(t *testing.T) {
	for _, background := range []bool{false, true} {
		o := patient("ddsa", executor.DefaultLimits())
		o.Background = background
		e := start(t, o)
		run1(t, e, "a.js", "x", rule("a", ""))
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", e.PID()))
		if err != nil {
			t.Fatal(err)
		}
		own, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			id, err := strconv.Atoi(task.Name())
			if err != nil {
				t.Fatal(err)
			}
			// The system call gives 20 less the nice value.
			got, err := unix.Getpriority(unix.PRIO_PROCESS, id)
			if err != nil || background && got != 20-10 || !background && got != own {
				t.Errorf("background %v: priority %d, error %v", background, got, err)
			}
		}
	}
}
