//go:build linux

package worker

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// What a worker has sent counts, also if it has died before it gets the next
// request.
func TestResultsOfADeadWorker(t *testing.T) {
	e, pipe := startWaiting(t)
	first, second, third := newTask("a.js", rule("long", "")), newTask("b.js", rule("opens", "")), newTask("c.js", rule("a", ""))
	waiting := []*executor.FileTask{first, second}
	next := func(bool) *executor.FileTask {
		if len(waiting) == 0 {
			return nil
		}
		task := waiting[0]
		waiting = waiting[1:]
		return task
	}
	done := func(task *executor.FileTask) {
		if task != first {
			return
		}
		awaitOpen(t, pipe)
		results, err := e.process.results.SyscallConn()
		if err != nil {
			t.Error(err)
		}
		if err := results.Control(func(fd uintptr) { _, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1) }); err != nil {
			t.Error(err)
		}
		pid := e.PID()
		if err := unix.Kill(pid, unix.SIGSEGV); err != nil {
			t.Error(err)
		}
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
			t.Error(err)
		}
		waiting = []*executor.FileTask{third}
	}
	if err := e.ExecuteFiles(t.Context(), next, done); err != nil {
		t.Fatal(err)
	}
	for task, want := range map[*executor.FileTask]string{second: "opens: opens ran\n", third: "a: a ran\n"} {
		if got := show(task.Result.Err, task.Result.Results); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// sent is a run whose worker is at a place in a task of so many rules.
func sent(t *testing.T, rules int) *run {
	r := accepting(rules)
	r.Executor = start(t, patient("ddsa", executor.DefaultLimits()))
	r.looked = r.clock.now()
	return r
}

// Where a killed worker goes before it is dead does not matter.
func TestKilledOnce(t *testing.T) {
	r := sent(t, 2)
	at := newPlace(1, 0, executing)
	r.process.page.set(at, r.clock.now())
	r.options.Ceiling = 1 << 20 // any worker is over it
	r.watch()
	r.process.page.set(newPlace(1, 1, executing), r.clock.now()-int64(time.Hour))
	r.watch()
	if r.verdict == nil || r.verdict.Outcome != executor.Memory || r.seen != at {
		t.Errorf("verdict %v, seen at %v, want memory at %v", r.verdict, r.seen, at)
	}
}

// A worker cannot hand over its results while its parent is stopped.
func TestParentWasStopped(t *testing.T) {
	r := sent(t, 1)
	now, long := r.clock.now(), int64(time.Hour)
	r.process.page.set(newPlace(1, 0, collecting), now-long)
	r.listens, r.looked = now-long, now-long
	if r.watch(); r.verdict != nil {
		t.Errorf("%v", r.verdict)
	}
	r.listens = now - long
	if r.watch(); r.verdict == nil || r.verdict.Outcome != executor.Hung {
		t.Errorf("%v, want hung", r.verdict)
	}
}
