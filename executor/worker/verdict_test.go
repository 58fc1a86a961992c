//go:build linux

package worker

import (
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// What a worker was killed for is known also if results came in between.
func TestVerdictOutlivesResults(t *testing.T) {
	limits := executor.DefaultLimits()
	limits.Timeout = time.Minute
	e := start(t, patient("ddsa", limits))
	task := newTask("a.js", rule("a", "for (const end = Date.now() + 100; Date.now() < end;);"), rule("b", "for (;;);"))
	turn := 0
	r := &run{Executor: e, ctx: t.Context(), done: func(*executor.FileTask) {}}
	r.next = func(bool) *executor.FileTask {
		turn++
		switch {
		case turn == 1:
			return task
		case turn > 2 && len(r.queue) > 0 && r.queue[0].accepted == 1: // the turn after the result
			for r.process.page.place() != newPlace(r.queue[0].seq, 1, executing) {
				time.Sleep(time.Millisecond)
			}
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
	if got := show(task.Result.Err, task.Result.Results); got != "a: \nb: memory\n" {
		t.Error(got)
	}
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

// One file's results are kept up to a sum.
func TestResultsTooLarge(t *testing.T) {
	r := accepting(3)
	big := &executor.Result{Entered: true, Output: strings.Repeat("x", maxResults/2)}
	for i := range 3 {
		frame := appendResult((&batch{seq: 1, from: i, last: i == 2}).append(nil), big, nil)
		if !r.accept(frame[headLength+1:]) {
			t.Fatalf("result %d was refused", i)
		}
	}
	pairs := r.queue[0].Result.Results
	if pairs[0].Err != nil || pairs[0].Result.Output == "" {
		t.Error("the first is lost")
	}
	for _, p := range pairs[1:] {
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
