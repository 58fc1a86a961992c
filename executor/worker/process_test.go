//go:build linux

package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

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
