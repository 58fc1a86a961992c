package serve

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/syntax"
)

// A stuckWriter is a client that does not read until it is let go on.
type stuckWriter struct {
	*httptest.ResponseRecorder
	entered, open chan struct{}
}

func (w *stuckWriter) Write(text []byte) (int, error) {
	close(w.entered)
	<-w.open
	return w.ResponseRecorder.Write(text)
}

// Answers are held for clients up to a sum, whether or not a worker ran them.
func TestAnswersUnread(t *testing.T) {
	c := testConfig(t, "ddsa")
	c.Answers = 1 // so there is room for one
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) { return namedRunner(kind), nil }
	s, url := start(t, c)
	other := says("x")
	other["type"] = "REGEX"
	for _, rule := range []m{says("x"), other} {
		body := testRequest(t, "1", rule)
		r := httptest.NewRequest(http.MethodPost, "http://localhost/analyze", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := &stuckWriter{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
		var wait sync.WaitGroup
		wait.Go(func() { s.ServeHTTP(w, r) })
		<-w.entered
		status, header, text := post(t, url, body)
		if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" || !strings.Contains(string(text), errUnread.Error()) {
			t.Errorf("%d: %s", status, text)
		}
		close(w.open)
		wait.Wait()
		if w.Code != http.StatusOK {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
		if status, _, text := post(t, url, body); status != http.StatusOK {
			t.Errorf("when it has been read: %d: %s", status, text)
		}
	}
}

func TestBudget(t *testing.T) {
	b := budget{most: 10}
	for _, step := range []struct {
		take int
		ok   bool
	}{{6, true}, {4, true}, {1, false}} {
		if b.take(step.take) != step.ok {
			t.Errorf("%+v, used %d", step, b.used)
		}
	}
	b.give(6)
	b.give(4)
	if !b.take(11) || b.take(0) {
		t.Error("what is larger than all of it has to be alone")
	}
}

// What an answer is counted for is at least its text.
func TestAnswerBytes(t *testing.T) {
	for name, result := range map[string]executor.Result{
		"none":    {},
		"output":  {Output: strings.Repeat("o", 1<<20)},
		"escapes": {Output: strings.Repeat("\x00", 1<<20)},
		"violations": {Violations: []executor.Violation{
			{Message: "m", Fixes: []executor.Fix{{Description: "d", Edits: []executor.Edit{{
				Kind: "UPDATE", End: &executor.Position{}, Content: new(strings.Repeat("c", 1000)),
			}}}}}, {}, {},
		}},
	} {
		task := &task{names: []string{"a", "not run"}, place: []int{0, -1}, rules: []*executor.Rule{rule("a", "")}, logOutput: true}
		a := task.answer([]executor.PairResult{{Rule: task.rules[0], Result: result}}, nil)
		w := httptest.NewRecorder()
		writeJSON(w, http.StatusOK, a)
		if a.bytes < w.Body.Len() {
			t.Errorf("%s: counted as %d, and has %d", name, a.bytes, w.Body.Len())
		}
	}
}

// A failing runner names the file in its error, as parsers do.
type failingRunner struct {
	namedRunner
	cause error
}

func (r failingRunner) Run(_ context.Context, p *Program, path string, _ executor.Language, _ string) ([]executor.PairResult, error) {
	if r.cause != nil {
		return nil, fmt.Errorf("syntax: %s: %w", path, r.cause)
	}
	results := make([]executor.PairResult, len(p.Rules))
	for i, rule := range p.Rules {
		results[i] = executor.PairResult{Rule: rule, Err: &executor.Error{Outcome: executor.NoWatchdog, Rule: rule.Name, File: path}}
	}
	return results, nil
}

// Names do not come back whole in errors, neither in the log nor with each rule.
func TestErrorsOfLongNames(t *testing.T) {
	name := strings.Repeat("n", maxName)
	var rules []m
	for range 100 {
		rules = append(rules, testRule(name[:len(name)/2], "(program) @p", ""))
	}
	for _, cause := range []error{nil, syntax.ErrTooDeep, executor.ErrUnusable} {
		var log lockedBuffer
		c := testConfig(t, "ddsa")
		c.Log = slog.New(slog.NewJSONHandler(&log, nil))
		c.NewRunner = func(flags.Runtime, executor.Limits) (Runner, error) { return failingRunner{"", cause}, nil }
		_, url := start(t, c)
		_, _, body := post(t, url, bytes.Replace(testRequest(t, "1", rules...), []byte(`"a.js"`), []byte(`"`+name+`"`), 1))
		why := "watchdog not started"
		if cause != nil {
			why = cause.Error()
		}
		if most := 100 * (len(name)/2 + 1000); len(body) > most || !strings.Contains(string(body), why) {
			t.Errorf("%v: %d bytes, %.500s", cause, len(body), body)
		}
		log.mu.Lock()
		if line := log.String(); len(line) > 1000 || cause != nil && !strings.Contains(line, why) {
			t.Errorf("%v: log: %d bytes, %.1000s", cause, len(line), line)
		}
		log.mu.Unlock()
	}
}

// What a script says of its end is cut.
func TestLongDetail(t *testing.T) {
	failed := &executor.Error{Outcome: executor.Script, Detail: strings.Repeat("é", maxWords)}
	task := &task{names: []string{"a"}, place: []int{0}}
	a := task.answer([]executor.PairResult{{Rule: rule("a", ""), Err: failed}}, nil)
	if text := *a.RuleResponses[0].ExecutionError; len(text) > maxWords+len("…") || !strings.HasPrefix(text, "éé") {
		t.Errorf("%d bytes", len(text))
	}
}

// A fat executor prints in each rule a third of what one file may have, or fails
// with as much.
type fatExecutor struct {
	executor.Executor
	fails bool
}

func (e fatExecutor) ExecuteFiles(_ context.Context, next func(bool) *executor.FileTask, done func(*executor.FileTask)) error {
	task := next(true)
	text := strings.Repeat("x", maxResults/3)
	for i := range task.Result.Results {
		if e.fails {
			task.Result.Results[i].Err = &executor.Error{Outcome: executor.Script, Detail: text}
		} else {
			task.Result.Results[i].Result = executor.Result{Entered: true, Output: text}
		}
	}
	done(task)
	return nil
}

// What comes from a worker process has the bound, too. The shadow is not asked
// about what did not fit.
func TestFileResultsTooLarge(t *testing.T) {
	for code, fails := range map[string]bool{"": false, "throw 1": true} {
		c := testConfig(t, "shadow")
		c.Flag = flags.New(flags.Config{Option: "shadow", ShadowSample: "1"})
		c.NewRunner = func(kind flags.Runtime, l executor.Limits) (Runner, error) {
			ex, err := ddsabench.NewArm(string(kind), l)
			return NewRunner(fatExecutor{ex, fails}), err
		}
		s, url := start(t, c)
		var rules []m
		for range 5 {
			rules = append(rules, testRule("r", "(program) @p", "function visit() { "+code+" }"))
		}
		_, _, body := post(t, url, testRequest(t, "1", rules...))
		if n := strings.Count(string(body), errLarge.Error()); n != 2 {
			t.Errorf("%q: %d results did not fit", code, n)
		}
		compared := s.shadows.comparers[flags.DDSA]
		if err := compared.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := compared.Counts(); n.Files != 1 || n.Pairs != 3 || n.Total() != 0 {
			t.Errorf("%q: %+v, %v", code, n, compared.Mismatches())
		}
	}
}
