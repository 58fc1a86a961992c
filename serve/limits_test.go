package serve

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// A gate is a Runner that tells when it has a file, and waits to be let
// through or for the end of the context.
type gate struct {
	entered, open chan struct{}
	panics        bool
}

func newGate() *gate { return &gate{entered: make(chan struct{}), open: make(chan struct{})} }

func (g *gate) Run(ctx context.Context, p *Program, _ string, _ executor.Language, _ string) ([]executor.PairResult, error) {
	select {
	case g.entered <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-g.open:
		if g.panics {
			panic("a fault of ours")
		}
		return []executor.PairResult{{Rule: p.Rules[0]}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (g *gate) Stats() executor.Stats { return executor.Stats{} }
func (g *gate) Close() error          { return nil }

// gated is a server with one worker behind g.
func gated(t *testing.T, g *gate, change func(*Config)) (*Server, string) {
	t.Helper()
	c := testConfig(t, "ddsa")
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) {
		if kind == flags.DDSA {
			return g, nil
		}
		return newGate(), nil
	}
	c.NewShadow = nil
	if change != nil {
		change(&c)
	}
	return start(t, c)
}

// A full queue answers at once, and says when to come again; what was taken is
// answered.
func TestQueueFull(t *testing.T) {
	g := newGate()
	s, url := gated(t, g, func(c *Config) { c.Queue = 2 })
	body := testRequest(t, "1", says("x"))
	var wait sync.WaitGroup
	answer := func() {
		if status, _, text := post(t, url, body); status != http.StatusOK {
			t.Errorf("%d: %s", status, text)
		}
	}
	wait.Go(answer)
	<-g.entered
	wait.Go(answer)
	wait.Go(answer)
	for len(s.workers.jobs) < 2 { // the handlers are on their way
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		status, header, text := post(t, url, body)
		again, err := strconv.Atoi(header.Get("Retry-After"))
		if status != http.StatusTooManyRequests || err != nil || again < 1 || again > 60 {
			t.Errorf("%d, Retry-After %q: %s", status, header.Get("Retry-After"), text)
		}
	}
	close(g.open)
	<-g.entered
	<-g.entered
	wait.Wait()
}

// A request's time includes its waiting.
func TestRequestTimeout(t *testing.T) {
	g := newGate()
	_, url := gated(t, g, func(c *Config) { c.RequestTimeout = 50 * time.Millisecond })
	body := testRequest(t, "1", says("x"))
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if status, header, text := post(t, url, body); status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
				t.Errorf("%d, %v: %s", status, header, text)
			}
		})
	}
	<-g.entered
	wait.Wait()
}

// A loop in V8 ends with its request.
func TestRequestTimeoutInV8(t *testing.T) {
	c := testConfig(t, "ddsa")
	c.Limits.Timeout, c.RequestTimeout = time.Hour, 100*time.Millisecond
	_, url := start(t, c)
	if status, _, text := post(t, url, testRequest(t, "1", testRule("r", "(program) @p", "function visit() { for (;;) {} }"))); status != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", status, text)
	}
}

// A client that has gone frees its worker.
func TestClientGone(t *testing.T) {
	g := newGate()
	s, url := gated(t, g, nil)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/analyze", strings.NewReader(string(testRequest(t, "1", says("x")))))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
			t.Error("an answer")
		}
	}()
	<-g.entered
	cancel()
	<-gone
	for s.workers.busy.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
}

// A panic costs the request and the runner, not the server.
func TestPanic(t *testing.T) {
	bad := newGate()
	bad.panics = true
	close(bad.open)
	var made atomic.Int32
	c := testConfig(t, "ddsa")
	good := c.NewRunner
	c.NewRunner = func(kind flags.Runtime, l executor.Limits) (Runner, error) {
		if kind == flags.DDSA && made.Add(1) == 1 {
			return bad, nil
		}
		return good(kind, l)
	}
	s, url := start(t, c)
	go func() { <-bad.entered }()
	body := testRequest(t, "1", says("x"))
	if status, _, text := post(t, url, body); status != http.StatusInternalServerError {
		t.Errorf("%d: %s", status, text)
	}
	status, _, text := post(t, url, body)
	if got := messages(t, status, text); len(got) != 1 || s.workers.panicked.Load() != 1 {
		t.Errorf("%q", got)
	}
}

// A client that does not send its request is cut off, and one that sends too
// much before it is read.
func TestSlowClient(t *testing.T) {
	c := testConfig(t, "legacy")
	c.ReadTimeout = 200 * time.Millisecond
	_, address, _ := serving(t, c)
	for sent, want := range map[string]string{
		"":                                      "",
		"POST /analyze HTTP/1.1\r\nHost: x\r\n": "",
		"POST /analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{": "HTTP/1.1 408 ",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), want) || strings.Contains(string(answer), " 200 ") {
			t.Errorf("%q: %v %q", sent, err, answer)
		}
		conn.Close()
	}
}

func TestConfigCheck(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"no runner": func(c *Config) { c.NewRunner = nil },
		"no flag":   func(c *Config) { c.Flag = nil },
		"timeout 0": func(c *Config) { c.Limits.Timeout = 0 },
		"workers":   func(c *Config) { c.Workers = 0 },
		"queue":     func(c *Config) { c.Queue = -1 },
		"body":      func(c *Config) { c.Body = 0 },
		"request":   func(c *Config) { c.RequestTimeout = 0 },
		"delay":     func(c *Config) { c.DrainDelay = -1 },
		"drain":     func(c *Config) { c.DrainTimeout = -1 },
		"answers":   func(c *Config) { c.Answers = 0 },
		"heap":      func(c *Config) { c.Limits.Heap = 1 },
	} {
		c := testConfig(t, "legacy")
		change(&c)
		if s, err := New(c); err == nil {
			t.Errorf("%s: no error", name)
			s.Close()
		}
	}
	c := testConfig(t, "legacy")
	c.Queue, c.DrainDelay = 0, -time.Second
	if err := c.Check(); err == nil || err.Error() != "serve: queue must be at least 1; got 0\nserve: drain delay must be at least 0; got -1s" {
		t.Error(err)
	}
	c = testConfig(t, "legacy")
	c.NewRunner = func(flags.Runtime, executor.Limits) (Runner, error) { return nil, context.Canceled }
	if _, err := New(c); err == nil {
		t.Error("no error from NewRunner")
	}
}
