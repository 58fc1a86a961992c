//go:build linux

package osthread

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/internal/watch"
)

func TestMain(m *testing.M) {
	if os.Getenv("OSTHREAD_PANIC") != "" {
		start(nil, Starter{}, func() { panic("in a body") }).Join()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func start(t *testing.T, s Starter, body func()) watch.Thread {
	thread, err := s.Start(body)
	if err != nil {
		t.Fatal(err)
	}
	return thread
}

// threads returns the ids of the process's threads.
func threads(t *testing.T) []os.DirEntry {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

func TestBodyHasAThreadOfItsOwn(t *testing.T) {
	for name, want := range map[string]string{
		"ddsa-watchdog":        "ddsa-watchdog",
		"longer than 15 bytes": "longer than 15 ",
	} {
		var tid int
		var comm []byte
		start(t, Starter{Name: name}, func() {
			tid = unix.Gettid()
			runtime.Gosched()
			if unix.Gettid() != tid {
				t.Error("the body changed its thread")
			}
			comm, _ = os.ReadFile("/proc/thread-self/comm")
		}).Join()
		if got := strings.TrimSuffix(string(comm), "\n"); got != want {
			t.Errorf("name %q, want %q", got, want)
		}
		for _, task := range threads(t) {
			if task.Name() == strconv.Itoa(tid) {
				t.Error("the thread is there after Join")
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		stack uint64
		want  syscall.Errno
	}{
		"too big":   {1 << 62, syscall.EAGAIN},
		"too small": {1, syscall.EINVAL},
	} {
		thread, err := Starter{StackSize: c.stack}.Start(func() { t.Error("the body runs") })
		if thread != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: thread %v, error %v, want %v", name, thread, err, c.want)
		}
	}
	start(t, Starter{StackSize: 256 << 10}, func() {}).Join() // the next one is fine
}

func TestThousandsLeaveNothing(t *testing.T) {
	run := func(n int) {
		for range n {
			start(t, Starter{Name: "short"}, func() {}).Join()
		}
	}
	run(100) // the runtime's own records of foreign threads, glibc's stacks
	before, memory := len(threads(t)), mapped(t)
	run(2000)
	// Go may start a few threads of its own meanwhile, 2,000 stacks are 16 GB.
	if after := len(threads(t)); after > before+10 {
		t.Errorf("%d threads, before it were %d", after, before)
	}
	if after := mapped(t); after > memory+1<<30 {
		t.Errorf("%d bytes mapped, before it were %d", after, memory)
	}
}

// mapped returns the process's virtual size in bytes.
func mapped(t *testing.T) int {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[0])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Many threads at once, started from many goroutines, each with its own body.
func TestManyAtOnce(t *testing.T) {
	var all sync.WaitGroup
	seen := make([]bool, 100)
	gate := make(chan struct{})
	for i := range seen {
		all.Go(func() {
			thread := start(t, Starter{StackSize: 256 << 10}, func() { <-gate; seen[i] = true })
			if i == len(seen)-1 {
				close(gate)
			}
			thread.Join()
		})
	}
	all.Wait()
	for i, ok := range seen {
		if !ok {
			t.Errorf("body %d did not run", i)
		}
	}
}

func TestPanicEndsTheProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), "OSTHREAD_PANIC=1")
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "panic: in a body") {
		t.Errorf("error %v, want exit status 2 and the panic; output:\n%s", err, out)
	}
}

func BenchmarkStartJoin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		thread, err := Starter{}.Start(func() {})
		if err != nil {
			b.Fatal(err)
		}
		thread.Join()
	}
}
