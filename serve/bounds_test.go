package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// What would cost the server's own process much is refused before it does.
func TestRequestTooLarge(t *testing.T) {
	long := strings.Repeat("[", maxConfiguration+1)
	r := &request{language: "JAVASCRIPT", configuration: new(b64(long))}
	var f *fault
	if _, err := r.validate(); !errors.As(err, &f) || f.word != badConfiguration || !strings.Contains(f.detail, "4096 bytes") {
		t.Errorf("a long configuration: %v", err)
	}
	r.configuration = new(b64(long[:maxBrackets+1]))
	if _, err := r.validate(); !errors.As(err, &f) || f.word != badConfiguration || !strings.Contains(f.detail, "64 brackets") {
		t.Errorf("a deep configuration: %v", err)
	}
	r.configuration = new(b64(long[:maxBrackets])) // no YAML, and read as such
	if _, err := r.validate(); !errors.As(err, &f) || f.word != badConfiguration || strings.Contains(f.detail, "more than") {
		t.Errorf("a shorter configuration: %v", err)
	}
	_, url := start(t, testConfig(t, "legacy"))
	half := "(program) @p" + strings.Repeat("\n", maxQueries/2)
	status, _, body := post(t, url, testRequest(t, "1", testRule("a", half, ""), testRule("b", half, "")))
	if status != http.StatusOK || !strings.Contains(string(body), ruleNotDecoded) {
		t.Errorf("long queries: %d %s", status, body)
	}
}

// A largeExecutor prints half of what one file may have.
type largeExecutor struct {
	executor.Executor
	ran int
}

func (e *largeExecutor) Execute(context.Context, *executor.Rule, *executor.File) (executor.Result, error) {
	e.ran++
	return executor.Result{Output: strings.Repeat("x", maxResults/2+1)}, nil
}

// The results of one file are kept up to a sum, after which no rule runs.
func TestResultsTooLarge(t *testing.T) {
	rules := make([]*executor.Rule, 4)
	for i := range rules {
		rules[i] = &executor.Rule{Name: fmt.Sprint(i), Language: executor.JavaScript, Query: "(program) @p"}
	}
	programs := newPrograms(1 << 20)
	defer programs.close()
	p := programs.get(rules)
	defer p.release()
	ex := &largeExecutor{}
	results, err := threadRunner{ex}.Run(t.Context(), p, "a.js", executor.JavaScript, "1")
	if err != nil || ex.ran != 2 {
		t.Fatalf("%d ran, %v", ex.ran, err)
	}
	for i, r := range results {
		var e *executor.Error
		if late := i >= 1; late != (errors.As(r.Err, &e) && e.Outcome == executor.Script && strings.Contains(e.Detail, "8 MiB")) || late != (r.Result.Output == "") {
			t.Errorf("%d: %v", i, r.Err)
		}
	}
}

// A reader's place is free again when the queue has the request.
func TestReaders(t *testing.T) {
	g := newGate()
	s, url := gated(t, g, func(c *Config) { c.Readers = 1 })
	body := testRequest(t, "1", says("x"))
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if status, _, text := post(t, url, body); status != http.StatusOK {
				t.Errorf("%d: %s", status, text)
			}
		})
		<-g.entered
		g.open <- struct{}{}
	}
	wait.Wait()
	wait.Go(func() { post(t, url, body) })
	<-g.entered // and is not done
	release, ok := s.reader()
	if !ok {
		t.Fatal("a request that runs has a reader's place")
	}
	if status, _, text := post(t, url, body); status != http.StatusTooManyRequests {
		t.Errorf("%d: %s", status, text)
	}
	release()
	release() // the second does nothing
	if len(s.readers) != 0 {
		t.Errorf("%d places taken", len(s.readers))
	}
	g.open <- struct{}{}
	wait.Wait()
}

// No more requests are checked at once than there is room for, and waiting for
// it ends with the request's time.
func TestChecks(t *testing.T) {
	s, _ := start(t, testConfig(t, "ddsa"))
	for range cap(s.checks) {
		s.checks <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, refusal := s.check(ctx, testRequest(t, "1", says("x"))); refusal == nil || refusal.status != statusClosed {
		t.Errorf("%+v", refusal)
	}
	<-s.checks
	for range 2 { // the place is given back
		if _, task, refusal := s.check(t.Context(), testRequest(t, "1", says("x"))); refusal != nil || len(task.rules) != 1 {
			t.Errorf("%+v", refusal)
		}
		if _, _, refusal := s.check(t.Context(), nil); refusal == nil || refusal.status != http.StatusBadRequest {
			t.Errorf("%+v", refusal)
		}
	}
}

// Only names that cannot lead here from a page elsewhere are answered.
func TestHost(t *testing.T) {
	for _, remote := range []bool{false, true} {
		c := testConfig(t, "legacy")
		c.AnyHost = remote
		_, url := start(t, c)
		for host, local := range map[string]bool{
			"localhost": true, "LOCALHOST:80": true, "127.0.0.1": true, "127.0.0.2:8080": true, "[::1]": true, "[::1]:8080": true,
			"example.com": false, "example.com:8080": false, "localhost.example.com": false, "192.0.2.1": false, "127.0.0.1.example.com": false,
		} {
			r, err := http.NewRequest(http.MethodGet, url+"/healthz", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			want := http.StatusOK
			if !local && !remote {
				want = http.StatusMisdirectedRequest
			}
			if status, _, _ := do(t, r); status != want {
				t.Errorf("any host %v, %s: %d, want %d", remote, host, status, want)
			}
		}
	}
}

// Names that the client chose are cut in the log.
func TestLogOfLongNames(t *testing.T) {
	var log lockedBuffer
	c := testConfig(t, "ddsa")
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	_, url := start(t, c)
	name := strings.Repeat("n", 4000)
	bad := testRule(name, "(program) @p", "")
	bad["checksum"] = "0"
	for _, rule := range []m{bad, testRule(name, "(nothing) @p", ""), testRule(name, "(program) @p", "")} {
		body := bytes.Replace(testRequest(t, "1", rule), []byte(`"a.js"`), []byte(`"`+name+`"`), 1)
		post(t, url, body)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	for line := range strings.Lines(log.String()) {
		if len(line) > 1000 || !strings.Contains(line, strings.Repeat("n", 256)+"…") {
			t.Errorf("%d bytes: %.300s", len(line), line)
		}
	}
}

// A brokenRunner has no worker process to run anything in.
type brokenRunner struct{ *gate }

func (brokenRunner) Run(context.Context, *Program, string, executor.Language, string) ([]executor.PairResult, error) {
	return nil, fmt.Errorf("no process: %w", executor.ErrUnusable)
}

// A server that can run nothing is not ready.
func TestUnusable(t *testing.T) {
	c := testConfig(t, "ddsa")
	c.NewRunner = func(flags.Runtime, executor.Limits) (Runner, error) { return brokenRunner{newGate()}, nil }
	s, _ := start(t, c)
	ready := func() int {
		w := httptest.NewRecorder()
		s.readyz(w, nil)
		return w.Code
	}
	for range unusableJobs {
		if ready() != http.StatusOK {
			t.Error("not ready too early")
		}
		j := &job{ctx: t.Context(), task: &task{}, program: s.programs.get(nil), done: make(chan struct{})}
		if err := s.workers.put(j); err != nil {
			t.Fatal(err)
		}
		<-j.done
	}
	if ready() != http.StatusServiceUnavailable {
		t.Error("ready")
	}
}

// It is ready again with the first job that runs, and after a while, to try.
func TestUnusableEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var u unusable
		for range unusableJobs {
			u.note(true, time.Now())
		}
		if !u.lately(time.Now()) {
			t.Error("usable")
		}
		time.Sleep(unusableFor)
		if u.lately(time.Now()) {
			t.Error("it has no job to try with")
		}
		u.note(true, time.Now())
		if !u.lately(time.Now()) {
			t.Error("the try failed")
		}
		u.note(false, time.Now())
		if u.lately(time.Now()) {
			t.Error("the try did not fail")
		}
	})
}
