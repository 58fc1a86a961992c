//go:build linux

package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

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

// A worker ends with its parent, also in the middle of an endless script.
func TestWorkerEndsWithParent(t *testing.T) {
	if os.Getenv("WORKER_PARENT") != "" {
		limits := executor.DefaultLimits()
		limits.Timeout = 0
		e := start(t, patient("ddsa", limits))
		fmt.Println("worker", e.PID())
		run1(t, e, "a.js", "x", rule("a", "for (;;);"))
		return
	}
	parent := exec.Command("/proc/self/exe", "-test.run=^TestWorkerEndsWithParent$")
	parent.Env = append(os.Environ(), "WORKER_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for lines := bufio.NewScanner(out); pid == 0 && lines.Scan(); {
		_, _ = fmt.Sscanf(lines.Text(), "worker %d", &pid)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 30_000); n != 1 {
		t.Errorf("the worker lives on, error %v", err)
	}
}

// Signals that ask a service to end are its parent's business.
func TestWorkerLeavesSignalsToParent(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	pid := e.PID()
	for _, s := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGTERM} {
		if err := unix.Kill(-pid, s); err != nil {
			t.Fatal(err)
		}
		if got := run1(t, e, "a.js", "x", rule("a", "console.log('ran')")); got != "a: ran\n" || e.PID() != pid {
			t.Errorf("%v: %s", s, got)
		}
	}
}

// The end of its requests ends a worker too, whatever it is doing: the signal at
// the parent's death is not all there is.
func TestWorkerEndsWithRequests(t *testing.T) {
	e, pipe := startWaiting(t)
	requests := e.process.requests
	go func() {
		awaitOpen(t, pipe)
		requests.Close()
	}()
	if got := run1(t, e, "a.js", "x", rule("waits", "")); got != "waits: crashed\n" {
		t.Error(got)
	}
}

func TestNotReady(t *testing.T) {
	t.Run("refused", func(t *testing.T) {
		_, err := New(patient("refused", executor.DefaultLimits()))
		var failed *StartError
		if !errors.As(err, &failed) || !errors.Is(err, executor.ErrUnusable) || failed.Starts != 1 || !strings.Contains(err.Error(), "no such thing") {
			t.Error(err)
		}
	})
	t.Run("dies", func(t *testing.T) {
		_, err := New(patient(fmt.Sprintf("dies start 100 %s/notes", t.TempDir()), executor.DefaultLimits()))
		var failed *StartError
		if !errors.As(err, &failed) || failed.Starts != maxStarts || !strings.Contains(err.Error(), "died before it was ready") {
			t.Error(err)
		}
	})
	t.Run("no Main", func(t *testing.T) {
		defer func(p *Program) { program = p }(program)
		program = nil
		if _, err := New(patient("ddsa", executor.DefaultLimits())); !errors.Is(err, ErrNoMain) {
			t.Error(err)
		}
	})
	t.Run("limits", func(t *testing.T) {
		if _, err := New(Options{Executor: "ddsa"}); err == nil || errors.Is(err, executor.ErrUnusable) {
			t.Error(err)
		}
	})
}

// What V8 does not stop is stopped from outside, and what takes V8 down takes
// nothing else with it.
func TestLimits(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = 100 * time.Millisecond
	limits.Heap = 64 << 20
	o := DefaultOptions("ddsa", limits)
	o.ParseLimit = 500 * time.Millisecond
	o.Ceiling = 4 << 30
	e := start(t, o)
	good := rule("good", "console.log('fine')")
	for _, c := range []struct{ name, file, body, want string }{
		{"hung", "a.js", "'ab'.repeat(2**24).replace(/a/g,'bbbbbbbbbbb')", "hung"},
		{"parsing hangs", "endless", "", "parsing parsing hangs: hung"},
		{"parsing dies", "deadly", "", "parsing parsing dies: crashed: killed, perhaps because memory ran out"},
		{"cannot be parsed", "spoiled", "", "cannot be parsed: spoiled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			got := run1(t, e, c.name, c.file, good, rule("bad", c.body), good)
			want := "good: fine\nbad: " + c.want + "\ngood: fine\n"
			if c.body == "" {
				got, _, _ = strings.Cut(got, " after ")
				got, _, _ = strings.Cut(got, "\n")
				want = c.want
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			t.Logf("took %v", time.Since(begin))
			if got := run1(t, e, "next.js", "x", good); got != "good: fine\n" {
				t.Errorf("the next file: %s", got)
			}
		})
	}
	// An error that the program knows can be told.
	result, err := executor.ExecuteFile(t.Context(), e, &executor.File{Path: "p", Text: "spoiled"}, []*executor.Rule{good})
	if err != nil || !errors.Is(result.Err, errSpoiled) || result.Err.Error() != "p: spoiled" {
		t.Error(result.Err, err)
	}
}

// A worker whose memory grows beyond the ceiling is ended from outside.
func TestMemoryCeiling(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = 0
	o := patient("ddsa", limits)
	e := start(t, o)
	e.options.Ceiling = 1 << 20 // any worker is over it
	if got := run1(t, e, "a.js", "x", rule("a", "for (;;);")); got != "a: memory\n" {
		t.Error(got)
	}
	e.options.Ceiling = o.Ceiling
	if got := run1(t, e, "a.js", "x", rule("a", "console.log('fine')")); got != "a: fine\n" {
		t.Error(got)
	}
}

// A context that ends takes the running execution with it, and what follows is
// right.
func TestCancel(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = 0
	e := start(t, patient("ddsa", limits))
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		result, err := executor.ExecuteFile(ctx, e, &executor.File{Path: "a.js", Language: executor.JavaScript, Text: "x"},
			[]*executor.Rule{rule("a", "console.log('ran')"), rule("b", "for (;;);"), rule("c", "")})
		cancel()
		if err != nil || !errors.Is(result.Results[1].Err, executor.ErrCancelled) || !errors.Is(result.Results[2].Err, context.DeadlineExceeded) {
			t.Error(err, show(nil, result.Results))
		}
	}
	if got := run1(t, e, "a.js", "x", rule("a", "console.log('ran')")); got != "a: ran\n" {
		t.Error(got)
	}
}

// More lists of rules than a worker has parsers for.
func TestManySets(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	rules := make([]*executor.Rule, 2*maxSets)
	for i := range rules {
		rules[i] = rule("r", fmt.Sprintf("console.log(%d)", i))
	}
	for range 2 {
		for i, r := range rules {
			if got, want := run1(t, e, "a.js", "x", r), fmt.Sprintf("r: %d\n", i); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
	}
}

func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"\n\n#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 1\n#\n#\n#FailureMessage Object: 0x7f\nSIGTRAP: trace trap\n": "Fatal JavaScript invalid size error 1",
		"<--- JS stacktrace --->\n\n#\n# Fatal javascript OOM in Ineffective mark-compacts near heap limit\n#\n":                               "Fatal javascript OOM in Ineffective mark-compacts near heap limit",
		"SIGSEGV: segmentation violation\nPC=0x0 m=0\n":                                          "SIGSEGV: segmentation violation",
		"runtime: out of memory: cannot allocate 1\nfatal error: out of memory\n\ngoroutine 1":   "runtime: out of memory: cannot allocate 1: fatal error: out of memory",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n": "runtime/cgo: pthread_create failed: Resource temporarily unavailable: SIGABRT: abort",
		"# \x1b[31mred\x00\n":           "[31mred",
		"# " + strings.Repeat("ä", 200): strings.Repeat("ä", 150) + "…",
	} {
		if got := lastWords([]byte(text)); strings.TrimSpace(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSaysMemory(t *testing.T) {
	for said, want := range map[string]bool{
		"Fatal javascript OOM in Ineffective mark-compacts near heap limit":               true,
		"Fatal process out of memory: Zone":                                               true,
		"terminate called after throwing an instance of 'std::bad_alloc'":                 true,
		"Check failed: reservation_.SetPermissions( unprotect_start, unprotect_size, x).": true,
		"Fatal JavaScript invalid size error 169220804":                                   false,
		"SIGSEGV: segmentation violation":                                                 false,
		"":                                                                                false,
	} {
		if got := saysMemory(said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
