//go:build linux

package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// What a worker was killed for is known also if results came in between.
func TestVerdictOutlivesResults(t *testing.T) {
	e, pipe := startWaiting(t)
	task := newTask("a.js", rule("long", ""), rule("waits", ""))
	turn := 0
	r := &run{Executor: e, ctx: t.Context(), done: func(*executor.FileTask) {}}
	r.next = func(bool) *executor.FileTask {
		turn++
		switch {
		case turn == 1:
			return task
		case turn > 2 && len(r.queue) > 0 && r.queue[0].accepted == 1: // the turn after the result
			awaitOpen(t, pipe) // it is at the second rule
			ceiling := e.options.Ceiling
			e.options.Ceiling = 1 << 20 // any worker is over it
			r.watch()
			e.options.Ceiling = ceiling
		}
		return nil
	}
	if err := r.do(); err != nil {
		t.Fatal(err)
	}
	if got := show(task.Result.Err, task.Result.Results); got != "long: "+strings.Repeat("x", sendBytes)+"\nwaits: memory\n" {
		t.Error(got)
	}
}

// startWaiting starts a worker whose rule waits opens pipe and never ends.
func startWaiting(t *testing.T) (e *Executor, pipe string) {
	t.Helper()
	pipe = filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	limits := executor.DefaultLimits()
	limits.Timeout = 0
	return start(t, patient("dies never 0 "+pipe, limits)), pipe
}

// awaitOpen returns when a worker has opened pipe.
func awaitOpen(t *testing.T, pipe string) {
	t.Helper()
	f, err := os.Open(pipe)
	if err != nil {
		t.Error(err)
		return
	}
	f.Close()
}

func newTask(path string, rules ...*executor.Rule) *executor.FileTask {
	task := &executor.FileTask{
		File: &executor.File{Path: path, Language: executor.JavaScript, Text: "x"}, Result: &executor.FileResult{},
	}
	for _, r := range rules {
		task.Result.Results = append(task.Result.Results, executor.PairResult{Rule: r})
	}
	return task
}

// accepting is a run that waits for the results of a task.
func accepting(rules int) *run {
	pairs := make([]*executor.Rule, rules)
	for i := range pairs {
		pairs[i] = rule("r", "")
	}
	t := &task{FileTask: newTask("a.js", pairs...), seq: 1}
	for i := range rules {
		t.missing = append(t.missing, i)
	}
	return &run{Executor: &Executor{options: Options{Limits: executor.DefaultLimits()}}, queue: []*task{t}, sent: 1}
}

// A frame has to say something.
func TestEmptyFrame(t *testing.T) {
	r := accepting(1)
	if r.accept((&batch{seq: 1}).append(nil)[headLength+1:]) {
		t.Error("a frame without a result was accepted")
	}
	if !r.accept(appendResult((&batch{seq: 1, last: true}).append(nil), &executor.Result{}, nil)[headLength+1:]) {
		t.Error("a result was refused")
	}
}

// One file's results are kept up to a sum. Who is over it does not take with it
// what comes after.
func TestResultsTooLarge(t *testing.T) {
	r := accepting(4)
	big, small := &executor.Result{Entered: true, Output: strings.Repeat("x", maxResults/2)}, &executor.Result{Entered: true, Output: "x"}
	for i, result := range []*executor.Result{big, big, big, small} {
		frame := appendResult((&batch{seq: 1, from: i, last: i == 3}).append(nil), result, nil)
		if !r.accept(frame[headLength+1:]) {
			t.Fatalf("result %d was refused", i)
		}
	}
	pairs := r.queue[0].Result.Results
	if pairs[0].Err != nil || pairs[0].Result.Output == "" {
		t.Error("the first is lost")
	}
	if pairs[3].Err != nil || pairs[3].Result.Output == "" {
		t.Errorf("the small one is lost: %v", pairs[3].Err)
	}
	for _, p := range pairs[1:3] {
		own, ok := p.Err.(*executor.Error)
		if !ok || own.Outcome != executor.Script || !strings.Contains(own.Detail, "larger than 64 MiB") || p.Result.Output != "" || !p.Result.Entered {
			t.Errorf("%v, %d bytes kept", p.Err, len(p.Result.Output))
		}
	}
}

// A worker says nothing in its page that makes the counts impossible.
func TestStatsOfALiar(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	e.process.page.watchdogsEnded.Store(1 << 40)
	if s := e.Stats(); s.WatchdogsEnded > s.WatchdogsStarted {
		t.Errorf("%d watchdogs ended, %d started", s.WatchdogsEnded, s.WatchdogsStarted)
	}
}

// What has entered V8 stays counted, whoever ends it.
func TestStatsOnlyGrow(t *testing.T) {
	for name, end := range map[string]func(*Executor, context.CancelFunc){
		"closed":    func(e *Executor, _ context.CancelFunc) { _ = e.Close() }, // once more at the test's end
		"cancelled": func(_ *Executor, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			e, pipe := startWaiting(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error)
			go func() {
				result, err := executor.ExecuteFile(ctx, e, &executor.File{Path: "a.js", Text: "x"}, []*executor.Rule{rule("a", ""), rule("waits", "")})
				ended <- errors.Join(err, result.Results[1].Err)
			}()
			awaitOpen(t, pipe)
			end(e, cancel)
			if err := <-ended; !errors.Is(err, executor.ErrClosed) && !errors.Is(err, executor.ErrCancelled) {
				t.Error(err)
			}
			if n := e.Stats().Executions; n != 2 { // nobody had asked while they ran
				t.Errorf("%d executions, want 2", n)
			}
		})
	}
}

// While a new worker does again what the last one took with it, the count stays.
func TestStatsWhileDoneAgain(t *testing.T) {
	e := start(t, patient("ddsa", executor.DefaultLimits()))
	e.process.page.executions.Store(3)
	if n := e.Stats().Executions; n != 3 {
		t.Errorf("%d executions, want 3", n)
	}
	e.bury()
	for range 3 {
		if n := e.Stats().Executions; n != 3 {
			t.Errorf("%d executions, want 3", n)
		}
		run1(t, e, "a.js", "x", rule("a", ""))
	}
	run1(t, e, "a.js", "x", rule("a", ""))
	if n := e.Stats().Executions; n != 4 {
		t.Errorf("%d executions, want 4", n)
	}
}

// Handing results over takes no time while nobody listens, and a place where
// nobody sent the worker gains it none.
func TestWhatTimeCounts(t *testing.T) {
	r := accepting(2)
	r.clock, r.options.Grace = newClock(), time.Second
	hour := int64(time.Hour)
	for _, c := range []struct {
		name             string
		at               place
		started, listens int64 // ago
		limit            time.Duration
		since            int64 // ago
	}{
		{"executing", newPlace(1, 1, executing), hour, 0, 3 * time.Second, hour},
		{"handing over, just listened to", newPlace(1, 1, collecting), hour, 0, startLimit, 0},
		{"handing over, listened to for long", newPlace(1, 1, collecting), hour, 2 * hour, startLimit, hour},
		{"a rule that is not there", newPlace(1, 2, executing), 0, hour, startLimit, hour},
		{"another file", newPlace(2, 0, executing), 0, hour, startLimit, hour},
	} {
		now := r.clock.now()
		r.seen, r.seenAt, r.listens = 0, now-2*hour, now-c.listens
		r.look(c.at, now-c.started, now)
		if limit, since := r.limit(); limit != c.limit || since != now-c.since {
			t.Errorf("%s: %v since %v ago", c.name, limit, time.Duration(now-since))
		}
	}
}
