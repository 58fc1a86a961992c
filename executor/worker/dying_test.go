//go:build linux

package worker

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

func kill9() {
	_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	select {}
}

// dying is an executor that does nothing but count, and dies where its script
// says: "POINT TIMES FILE". Each death is noted in the file; after so many
// times it lives. Its rules have names: at c it dies, long prints as much as is
// sent at once, opens opens the file, a pipe, and waits then waits for ever.
func dying(script string) executor.Executor {
	d := &dyingExecutor{}
	if _, err := fmt.Sscan(script, &d.point, &d.times, &d.notes); err != nil {
		panic(err)
	}
	if d.point == "start" {
		d.die()
	}
	return d
}

type dyingExecutor struct {
	executor.Executor
	point, notes, rule string
	times              int
	entered            uint64
}

// Stats is what the worker asks for when an execution has ended and its result
// has not been kept.
func (d *dyingExecutor) Stats() executor.Stats {
	if d.point == "collecting" && d.rule == "c" {
		d.die()
	}
	return executor.Stats{Executions: d.entered}
}

func (d *dyingExecutor) Execute(_ context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	d.rule = strings.TrimPrefix(rule.Name, "set/")
	if d.point == "matching" && d.rule == "c" {
		d.die()
	}
	if _, err := file.Tree.Matches(rule, 0); err != nil { // from here on it is an execution
		return executor.Result{}, err
	}
	d.entered++
	switch d.rule {
	case "a":
		if d.point == "first" {
			d.die()
		}
	case "c":
		d.act()
	case "long":
		return executor.Result{Entered: true, Output: strings.Repeat("x", sendBytes)}, nil
	case "opens", "waits":
		f, err := os.OpenFile(d.notes, os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		if d.rule == "waits" {
			select {}
		}
		f.Close()
	}
	return executor.Result{Entered: true, Output: d.rule + " ran"}, nil
}

// act is what the worker does at the third of four executions. After having sent
// what it should not, it waits for its parent to end it.
func (d *dyingExecutor) act() {
	switch d.point {
	case "later":
		d.die()
	case "frame":
		if d.mayDie() { // half of one is written
			_, _ = descriptor(resultsFD).Write([]byte("\x40\x00\x00\x00R\x01"))
			kill9()
		}
	case "garbage":
		if d.mayDie() {
			_, _ = descriptor(resultsFD).Write([]byte("\x05\x00\x00\x00R\xff\xff\xff\xff"))
			select {}
		}
	case "huge":
		if d.mayDie() {
			_, _ = descriptor(resultsFD).Write([]byte("\xff\xff\xff\xffR"))
			select {}
		}
	case "closed":
		if d.mayDie() {
			_ = unix.Close(resultsFD)
			select {}
		}
	case "abort":
		if d.mayDie() {
			_, _ = os.Stderr.WriteString("#\n# Fatal error in , line 0\n# it broke\n#\n")
			syscall.Exit(1)
		}
	case "memory":
		if d.mayDie() {
			_, _ = os.Stderr.WriteString("#\n# Fatal javascript OOM in test\n#\n")
			syscall.Exit(1)
		}
	}
}

// mayDie notes a death, if there is one left.
func (d *dyingExecutor) mayDie() bool {
	notes, err := os.OpenFile(d.notes, os.O_APPEND|os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	defer notes.Close()
	info, err := notes.Stat()
	if err != nil {
		panic(err)
	}
	if int(info.Size()) >= d.times {
		return false
	}
	_, err = notes.WriteString("x")
	return err == nil
}

func (d *dyingExecutor) die() {
	if d.mayDie() {
		kill9()
	}
}

// A worker that dies at any point of the protocol loses no execution, and has
// none accepted twice.
func TestDeaths(t *testing.T) {
	rules := []*executor.Rule{rule("a", ""), rule("b", ""), rule("c", ""), rule("d", "")}
	all := "a: a ran\nb: b ran\nc: c ran\nd: d ran\n"
	c := func(outcome string) string { return strings.Replace(all, "c ran", outcome, 1) }
	for _, test := range []struct {
		point string
		times int
		want  string
	}{
		{"start", 1, all},
		{"start", maxStarts - 1, all},
		{"first", 1, all},
		{"first", 2, strings.Replace(all, "a ran", "crashed", 1)},
		{"matching", 1, all},
		{"matching", 2, c("crashed")},
		{"later", 1, all},
		{"later", 2, c("crashed")},
		{"collecting", 1, all},
		{"collecting", 2, c("crashed")},
		{"frame", 1, all},
		{"frame", 2, c("crashed")},
		{"closed", 1, all},
		{"closed", 2, c("crashed")},
		{"garbage", 1, c("crashed")},
		{"huge", 1, c("crashed")},
		{"abort", 1, c("crashed")},
		{"memory", 1, c("memory")},
	} {
		t.Run(fmt.Sprint(test.point, " ", test.times), func(t *testing.T) {
			t.Parallel()
			e := start(t, patient(fmt.Sprintf("dies %s %d %s/notes", test.point, test.times, t.TempDir()), executor.DefaultLimits()))
			got := run1(t, e, "a.js", "x", rules...)
			if got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if got := run1(t, e, "b.js", "x", rules...); got != all {
				t.Errorf("the next file: got\n%s", got)
			}
			entered := uint64(8)
			if test.point == "matching" && test.times == 2 {
				entered-- // c did not get there
			}
			if n := e.Stats().Executions; n != entered {
				t.Errorf("%d executions, want %d", n, entered)
			}
		})
	}
}

// A worker that is killed while it has nothing to do costs nothing.
func TestDeathsWhileIdle(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	r := rule("a", "console.log('ran')")
	for range 5 {
		if err := unix.Kill(e.PID(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if got := run1(t, e, "a.js", "x", r); got != "a: ran\n" {
			t.Error(got)
		}
	}
}
