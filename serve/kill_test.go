package serve

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// A flagFile is a flag that follows a file.
type flagFile struct {
	t       *testing.T
	path    string
	flag    *flags.Evaluator
	changes chan flags.Status
}

func newFlagFile(t *testing.T, c flags.Config, text string) *flagFile {
	t.Helper()
	f := &flagFile{t: t, path: filepath.Join(t.TempDir(), "flag.yaml"), changes: make(chan flags.Status, 100)}
	f.write(text)
	c.File, c.OnChange = f.path, func(s flags.Status) { f.changes <- s }
	f.flag = flags.New(c)
	t.Cleanup(func() { f.flag.Close() })
	return f
}

func (f *flagFile) write(text string) {
	f.t.Helper()
	if err := os.WriteFile(f.path+".new", []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		f.t.Fatal(err)
	}
}

// set writes and waits until the flag has seen it.
func (f *flagFile) set(text string) flags.Status {
	f.t.Helper()
	f.write(text)
	select {
	case s := <-f.changes:
		return s
	case <-time.After(patience):
		f.t.Fatalf("%q is not seen", text)
		panic("unreachable")
	}
}

// A kill reaches requests that wait already; the one under way ends with its
// executor. The log says so of both.
func TestKillReachesQueue(t *testing.T) {
	f := newFlagFile(t, flags.Config{}, "runtime: ddsa")
	g := newGate()
	var log lockedBuffer
	s, url := gated(t, g, func(c *Config) {
		c.Flag = f.flag
		c.Log = slog.New(slog.NewJSONHandler(&log, nil))
		c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) {
			if kind == flags.DDSA {
				return g, nil
			}
			return namedRunner(kind), nil
		}
	})
	body := testRequest(t, "1", says("x"))
	answer := func(want ...string) {
		status, _, text := post(t, url, body)
		if got := messages(t, status, text); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() { answer() })
	<-g.entered
	wait.Go(func() { answer("legacy") })
	for len(s.workers.jobs) < 1 { // the handler is on its way
		time.Sleep(time.Millisecond)
	}
	if st := f.set("runtime: ddsa\nkill: true"); st.Kill == "" {
		t.Errorf("%+v", st)
	}
	close(g.open)
	wait.Wait()
	log.mu.Lock()
	defer log.mu.Unlock()
	for _, want := range []string{`"executor":"ddsa","reason":"STATIC"`, `"executor":"legacy","reason":"DISABLED"`} {
		if strings.Count(log.String(), want) != 1 {
			t.Errorf("no %s in %s", want, log.String())
		}
	}
}

// What no worker begins is not decided, and the log does not say that it was.
func TestNotDecided(t *testing.T) {
	g := newGate()
	var log lockedBuffer
	s, url := gated(t, g, func(c *Config) {
		c.Queue = 1
		c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := &job{ctx: ctx, task: &task{}, program: s.programs.get(nil), done: make(chan struct{})}
	if err := s.workers.put(j); err != nil {
		t.Fatal(err)
	}
	if <-j.done; j.decision.Load() != nil {
		t.Error("decided for nobody")
	}
	body := testRequest(t, "1", says("x"))
	var wait sync.WaitGroup
	wait.Go(func() { post(t, url, body) })
	<-g.entered
	wait.Go(func() { post(t, url, body) })
	for len(s.workers.jobs) < 1 { // the handler is on its way
		time.Sleep(time.Millisecond)
	}
	if status, _, text := post(t, url, body); status != http.StatusTooManyRequests {
		t.Errorf("%d: %s", status, text)
	}
	log.mu.Lock()
	if line := log.String(); !strings.Contains(line, `"status":429`) || strings.Contains(line, `"executor"`) {
		t.Errorf("%s", line)
	}
	log.mu.Unlock()
	close(g.open)
	<-g.entered
	wait.Wait()
}

// A countingProvider counts how often it is asked.
type countingProvider struct{ asked atomic.Int32 }

func (p *countingProvider) Resolve(string) flags.Resolution {
	p.asked.Add(1)
	return flags.Resolution{Value: "live"}
}

// A request is decided for once, compared or not.
func TestDecidedOnce(t *testing.T) {
	var p countingProvider
	c := testConfig(t, "ddsa")
	c.Flag = flags.New(flags.Config{Provider: &p, ShadowSample: "1"})
	s, url := start(t, c)
	for range 3 {
		post(t, url, testRequest(t, "1", says("x")))
	}
	if err := s.shadows.comparers[flags.Legacy].Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := p.asked.Load(); n != 3 {
		t.Errorf("asked %d times for 3 requests", n)
	}
}

// What is wrong with the flag's file is shown whatever decides.
func TestStatusOfFlag(t *testing.T) {
	f := newFlagFile(t, flags.Config{Option: "ddsa"}, "runtime: legacy")
	c := testConfig(t, "ddsa")
	c.Flag = f.flag
	_, url := start(t, c)
	if _, body := get(t, url+"/runtime"); strings.Contains(string(body), "flag_error") {
		t.Errorf("%s", body)
	}
	if s := f.set("runtime: nonsense"); s.Err == nil {
		t.Errorf("%+v", s)
	}
	_, body := get(t, url+"/runtime")
	if !strings.Contains(string(body), `"reason":"STATIC"`) || !strings.Contains(string(body), `"flag_error":"file DDSA_RUNTIME_FILE: `) ||
		!strings.Contains(string(body), "nonsense") {
		t.Errorf("%s", body)
	}
}
