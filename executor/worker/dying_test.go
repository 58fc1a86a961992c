//go:build linux

package worker

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

func kill9() {
	_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	select {}
}

// dying is an executor that does nothing but count, and dies where its script
// says: "POINT TIMES FILE". Each death is noted in the file; after so many
// times it lives.
func dying(script string) executor.Executor {
	d := &dyingExecutor{}
	if _, err := fmt.Sscan(script, &d.point, &d.times, &d.notes); err != nil {
		panic(err)
	}
	if d.point == "start" {
		d.die()
	}
	if d.point == "frame" {
		go d.cutFrame()
	}
	return d
}

type dyingExecutor struct {
	executor.Executor
	point, notes string
	times, ran   int
}

func (d *dyingExecutor) Stats() executor.Stats { return executor.Stats{} }

func (d *dyingExecutor) Execute(_ context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	if _, err := file.Tree.Matches(rule, 0); err != nil { // from here on it is an execution
		return executor.Result{}, err
	}
	d.ran++
	switch {
	case d.point == "first" && d.ran == 1, d.point == "later" && d.ran == 3:
		d.die()
	case d.point == "garbage" && d.ran == 3 && d.mayDie():
		_, _ = descriptor(resultsFD).Write([]byte("\x05\x00\x00\x00R\xff\xff\xff\xff"))
	case d.point == "huge" && d.ran == 3 && d.mayDie():
		_, _ = descriptor(resultsFD).Write([]byte("\xff\xff\xff\xffR"))
	case d.point == "closed" && d.ran == 3 && d.mayDie():
		_ = unix.Close(resultsFD)
	case d.point == "abort" && d.ran == 3 && d.mayDie():
		_, _ = os.Stderr.WriteString("#\n# Fatal error in , line 0\n# it broke\n#\n")
		syscall.Exit(1)
	case d.point == "memory" && d.ran == 3 && d.mayDie():
		_, _ = os.Stderr.WriteString("#\n# Fatal javascript OOM in test\n#\n")
		syscall.Exit(1)
	}
	return executor.Result{Entered: true, Output: fmt.Sprintf("%s ran", strings.TrimPrefix(rule.Name, "set/"))}, nil
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

// cutFrame dies with half a frame written: it takes the place of the worker's
// own loop, of which it sends the first bytes of an answer.
func (d *dyingExecutor) cutFrame() {
	for d.ran == 0 {
		time.Sleep(time.Millisecond)
	}
	if d.mayDie() {
		_, _ = descriptor(resultsFD).Write([]byte("\x40\x00\x00\x00R\x01"))
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
		{"later", 1, all},
		// Each worker dies at the third that it runs: c, c again, and no more.
		{"later", 2, c("crashed")},
		{"garbage", 1, ""},
		{"huge", 1, ""},
		{"closed", 1, ""},
		{"frame", 1, ""},
		{"abort", 1, c("crashed")},
		{"memory", 1, c("memory")},
	} {
		t.Run(fmt.Sprint(test.point, " ", test.times), func(t *testing.T) {
			t.Parallel()
			e := start(t, patient(fmt.Sprintf("dies %s %d %s/notes", test.point, test.times, t.TempDir()), executor.DefaultLimits()))
			got := run1(t, e, "a.js", "x", rules...)
			if test.want == "" {
				// Whom it is laid on depends on where the worker was by then; one
				// rule at most loses its result.
				ran := strings.Count(got, "ran")
				if ran < 3 || ran+strings.Count(got, "crashed") != 4 {
					t.Errorf("got\n%s", got)
				}
			} else if got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if got := run1(t, e, "b.js", "x", rules...); got != all {
				t.Errorf("the next file: got\n%s", got)
			}
			if n := e.Stats().Executions; n != 8 {
				t.Errorf("%d executions, want 8", n)
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
