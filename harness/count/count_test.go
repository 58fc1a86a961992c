package count

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// need skips the test if the source cannot be used here.
func need(t *testing.T, s harness.Source) {
	t.Helper()
	found, err := Available()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Name == string(s) && f.Err != nil {
			t.Skip(f.Err)
		}
	}
}

func TestAvailable(t *testing.T) {
	found, err := Available()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Logf("%s: %s: %v", f.Name, f.Gives, f.Err)
		if f.Name == string(harness.Proc) && f.Err != nil {
			t.Errorf("proc: %v", f.Err)
		}
	}
}

// between checks from <= got <= from+more. What Go does besides, such as making
// a thread for its own purposes, is the room.
func between(t *testing.T, what string, got, from, more uint64) {
	t.Helper()
	if got < from || got > from+more {
		t.Errorf("%s: %d, want %d to %d", what, got, from, from+more)
	}
}

const (
	threads = 200
	room    = 40
)

func TestIdleChild(t *testing.T) {
	need(t, harness.BPF)
	c := countChild(t, 0, Options{}, os.Environ(), nil, nil)
	if c.Source != harness.BPF || !c.StackCache || c.LostEvents != 0 {
		t.Errorf("%+v", c)
	}
	between(t, "threads created", c.Counts[harness.ThreadsCreated], 0, 3)
	between(t, "anonymous maps", c.Counts[harness.AnonymousMaps], 0, room)
	if c.Counts[harness.ThreadExits] == 0 || c.Counts[harness.MinorFaults] == 0 || c.PeakThreads == 0 {
		t.Errorf("the child's end was missed: %+v", c)
	}
}

// Without the stack cache every joined thread is one transient mapping of its
// stack's size, which must not pass for a reservation.
func TestAllocationProfile(t *testing.T) {
	need(t, harness.BPF)
	c := countChild(t, threads, Options{}, WithoutStackCache(os.Environ()), nil, nil)
	a := c.Allocations
	if c.StackCache || c.LostEvents != 0 || len(c.Notes) > 0 || a == nil {
		t.Fatalf("%+v", c)
	}
	between(t, "threads created", c.Counts[harness.ThreadsCreated], threads+together, room)
	between(t, "processes created", c.Counts[harness.ProcessesCreated], processes, 1) // Go may try out pidfd
	between(t, "mremap", c.Counts[harness.Mremap], dropped, 0)
	between(t, "peak threads", c.PeakThreads, together+1, room)
	between(t, "transient", a.Transient, threads+together+dropped, room)
	between(t, "persistent", a.Persistent, kept+1, 3*room)
	between(t, "bytes", a.Bytes, (threads+together)*stack+(kept+2*dropped+1)*mib, 1<<30)
	between(t, "bytes, reserved and not", a.Bytes+a.ReservedBytes, c.Counts[harness.AnonymousBytes]+dropped*mib, 0)
	if a.Reservations == 0 && a.ReservedBytes < mib {
		t.Errorf("no reservation: %+v", a)
	}
}

// What a process below the child does is counted as if the child did it.
func TestProcessesBelow(t *testing.T) {
	need(t, harness.BPF)
	c := countChild(t, -threads, Options{}, WithoutStackCache(os.Environ()), nil, nil)
	a := c.Allocations
	if c.LostEvents != 0 || len(c.Notes) > 0 || a == nil {
		t.Fatalf("%+v", c)
	}
	between(t, "processes created", c.Counts[harness.ProcessesCreated], 2*processes, 2)
	between(t, "threads created", c.Counts[harness.ThreadsCreated], threads+together, 2*room)
	between(t, "peak threads", c.PeakThreads, together+1, 2*room)
	between(t, "transient", a.Transient, threads+together+dropped, 2*room)
	between(t, "persistent", a.Persistent, kept+1, 6*room)
	between(t, "bytes", a.Bytes, (threads+together)*stack+(kept+2*dropped+1)*mib, 1<<30)
}

// With the cache the same threads share a few stacks.
func TestStackCache(t *testing.T) {
	need(t, harness.BPF)
	c := countChild(t, threads, Options{}, os.Environ(), nil, nil)
	between(t, "threads created", c.Counts[harness.ThreadsCreated], threads+together, room)
	between(t, "transient", c.Allocations.Transient, dropped, together+room)
}

// Where tracefs is not mounted it is mounted for the time of counting, if that
// is wanted. The test does so in a mount namespace of its own.
func TestPerf(t *testing.T) {
	o := Options{Sources: []harness.Source{harness.PerfEvent}}
	_, missing := findTracefs()
	if missing != nil {
		ownMounts(t)
		if _, err := startPerf(os.Getpid(), false); err == nil || !strings.Contains(err.Error(), "mount -t tracefs") {
			t.Errorf("unmounted and not to be: %v", err)
		}
		o.MountTracefs = true
	} else {
		need(t, harness.PerfEvent)
	}
	c := countChild(t, threads, o, WithoutStackCache(os.Environ()), nil, nil)
	if c.Source != harness.PerfEvent || c.Allocations != nil {
		t.Errorf("%+v", c)
	}
	if mounted := len(c.Notes) == 1 && strings.Contains(c.Notes[0], "mounted"); mounted != o.MountTracefs {
		t.Errorf("notes %q", c.Notes)
	}
	if _, err := findTracefs(); (err == nil) != (missing == nil) {
		t.Errorf("tracefs before: %v; after: %v", missing, err)
	}
	between(t, "threads created", c.Counts[harness.ThreadsCreated], threads+together, room)
	between(t, "processes created", c.Counts[harness.ProcessesCreated], processes, 1)
	between(t, "thread exits", c.Counts[harness.ThreadExits], c.Counts[harness.ThreadsCreated], room)
	between(t, "mremap", c.Counts[harness.Mremap], dropped, 0)
	between(t, "munmap", c.Counts[harness.Munmap], threads+together+dropped, room)
	if c.Counts[harness.ContextSwitches] == 0 || c.Counts[harness.Futex] == 0 {
		t.Errorf("counts %v", c.Counts)
	}
}

// ownMounts gives the test's thread mounts of its own. The thread ends with the
// test, because it is not unlocked.
func ownMounts(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	err := unix.Unshare(unix.CLONE_NEWNS)
	if err == nil {
		err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	}
	if err != nil {
		t.Skipf("no mount namespace of our own: %v", err)
	}
}

// Whatever source is left, faults and the reasons are there.
func TestProc(t *testing.T) {
	c := countChild(t, threads, Options{Sources: []harness.Source{"none", harness.Proc}}, os.Environ(), nil, nil)
	if c.Source != harness.Proc || len(c.Declined) == 0 || !strings.Contains(c.Declined[0], `no source "none"`) {
		t.Errorf("%+v", c)
	}
	if _, there := c.Counts[harness.ThreadsCreated]; there || c.Counts[harness.MinorFaults] == 0 {
		t.Errorf("counts %v", c.Counts)
	}
}

func TestNoProcess(t *testing.T) {
	const pid = 1 << 22 // above the kernel's largest
	if c, err := Start(t.Context(), pid, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, %v", c, err)
	}
}

// A child that has ended is counted, a child that is busy waited for.
func TestEndedAndBusy(t *testing.T) {
	ended := exec.Command(os.Args[0], "child")
	if err := ended.Start(); err != nil { // no input: it fails at once
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, ended.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	c, err := Start(t.Context(), ended.Process.Pid, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Stop(); err != nil || got.Counts[harness.ThreadsCreated] != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := ended.Wait(); err == nil {
		t.Error("the child did not fail")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// This process does not read its standard input.
	if c, err := Start(ctx, os.Getpid(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", c, err)
	}
}

// Descriptors and cgroups are gone after every way out.
func TestNothingLeft(t *testing.T) {
	countChild(t, 0, Options{}, os.Environ(), nil, nil) // what stays open for good, such as the poller
	before := left(t)
	for _, o := range []Options{{}, {Sources: []harness.Source{harness.Proc}}} {
		countChild(t, threads, o, os.Environ(), nil, nil)
	}
	if _, err := Available(); err != nil {
		t.Error(err)
	}
	if after := left(t); after > before {
		t.Errorf("descriptors and groups %d, before %d", after, before)
	}
}

func left(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	n := len(open)
	if parent, err := pidsFolder(os.Getpid()); err == nil {
		groups, err := filepath.Glob(filepath.Join(parent, "ddsabench-*"))
		if err != nil {
			t.Fatal(err)
		}
		n += len(groups)
	}
	return n
}
