//go:build linux

package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// Without a process to be had, an executor says so, and goes on when there is
// one again.
func TestNoProcesses(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	allow := noProcesses(t)
	if err := unix.Kill(e.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	good := rule("good", "console.log('fine')")
	file := &executor.File{Path: "a.js", Language: executor.JavaScript, Text: "x"}
	for range 2 { // the second time at once
		result, err := executor.ExecuteFile(t.Context(), e, file, []*executor.Rule{good})
		if !errors.Is(err, executor.ErrUnusable) || !errors.Is(err, unix.EAGAIN) {
			t.Errorf("%v, %+v", err, result)
		}
	}
	if n, err := New(patient("ddsa", executor.DefaultLimits())); n != nil || !errors.Is(err, executor.ErrUnusable) {
		t.Errorf("a new executor: %v", err)
	}
	allow()
	e.retryAt = time.Time{} // it would wait
	if got := run1(t, e, "a.js", "x", good); got != "good: fine\n" {
		t.Error(got)
	}
}

// noProcesses has the thread that starts workers be a user who may have one
// process: the limit holds for the user that a thread really is, and for no one
// who can administer the system.
func noProcesses(t *testing.T) (allow func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else for a while")
	}
	inLauncher := func(user int, drop uint32) {
		t.Helper()
		var err error
		done := make(chan struct{})
		launch.work <- func() {
			defer close(done)
			header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
			var data [2]unix.CapUserData
			err = unix.Capget(&header, &data[0])
			data[0].Effective = data[0].Permitted &^ drop
			_, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(user), 0, 0)
			if err = errors.Join(err, unix.Capset(&header, &data[0])); errno != 0 {
				err = errors.Join(err, errno)
			}
		}
		<-done
		if err != nil {
			t.Fatal(err)
		}
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &before); err != nil {
		t.Fatal(err)
	}
	inLauncher(54321, 1<<unix.CAP_SYS_RESOURCE|1<<unix.CAP_SYS_ADMIN)
	allow = func() {
		t.Helper()
		inLauncher(0, 0)
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &before); err != nil {
			t.Error(err)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1, Max: before.Max}); err != nil {
		allow()
		t.Fatal(err)
	}
	return allow
}

// However few descriptors there are, a start that fails leaves none open.
func TestFewDescriptors(t *testing.T) {
	launch.open()
	defer launch.close()
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	open := func() (n uint64) {
		t.Helper()
		names, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		return uint64(len(names))
	}
	has := open()
	failed := 0
	for more := range uint64(30) {
		limit := before
		limit.Cur = has - 1 + more // counting took one itself
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		p, err := startProcess()
		if restored := unix.Setrlimit(unix.RLIMIT_NOFILE, &before); restored != nil {
			t.Fatal(restored)
		}
		if err == nil {
			p.bury()
		} else if failed++; !errors.Is(err, unix.EMFILE) {
			t.Error(err)
		}
		if n := open(); n != has {
			t.Fatalf("with %d descriptors more: %d are open, %d before (%v)", more, n, has, err)
		}
		if err == nil && failed > 5 {
			return
		}
	}
	t.Errorf("%d starts failed, and none did well", failed)
}

// A worker that the system refuses memory ends, says why, and takes nothing
// else with it.
func TestLittleMemory(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = time.Minute
	e := start(t, patient("ddsa", limits))
	good := rule("good", "console.log('fine')")
	run1(t, e, "a.js", "x", good)
	for _, mib := range []uint64{32, 96} {
		t.Run(fmt.Sprint(mib, " MiB"), func(t *testing.T) {
			run1(t, e, "a.js", "x", good) // there is a worker
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.PID()))
			if err != nil {
				t.Fatal(err)
			}
			_, after, _ := strings.Cut(string(text), "VmData:")
			var has uint64
			if _, err := fmt.Sscan(after, &has); err != nil {
				t.Fatal(err)
			}
			limit := unix.Rlimit{Cur: has<<10 + mib<<20, Max: has<<10 + mib<<20}
			if err := unix.Prlimit(e.PID(), unix.RLIMIT_DATA, &limit, nil); err != nil {
				t.Fatal(err)
			}
			// V8 does not always call it memory.
			want := []string{"good: fine\ngrows: memory\ngood: fine\n", "good: fine\ngrows: crashed\ngood: fine\n"}
			if got := run1(t, e, "b.js", "x", good, rule("grows", "const all = []; for (;;) all.push(new Array(1e4).fill(all.length));"), good); !slices.Contains(want, got) {
				t.Errorf("got\n%s", got)
			}
		})
	}
}
