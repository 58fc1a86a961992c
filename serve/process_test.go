package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/syntax"
)

// isolatedConfig has executors in worker processes.
func isolatedConfig(t *testing.T, setting string) Config {
	t.Helper()
	c := testConfig(t, setting)
	c.NewShadow = func(kind flags.Runtime, l executor.Limits) (executor.Executor, error) {
		return ddsabench.NewArmIsolated(string(kind), l, nil, syntax.DefaultOptions())
	}
	c.NewRunner = func(kind flags.Runtime, l executor.Limits) (Runner, error) {
		ex, err := c.NewShadow(kind, l)
		if err != nil {
			return nil, err
		}
		return NewRunner(ex), nil
	}
	return c
}

// A rule that takes V8 down, or that V8 cannot stop, costs its own result; the
// others of its request and of later ones are right.
func TestCrash(t *testing.T) {
	for _, setting := range []string{"legacy", "ddsa"} {
		c := isolatedConfig(t, setting)
		c.Limits.Timeout = 300 * time.Millisecond
		_, url := start(t, c)
		status, _, body := post(t, url, testRequest(t, "1", says("before"),
			testRule("crash", "(program) @p", "function visit() { 'ab'.repeat(2 ** 27).split('a'); }"),
			testRule("hang", "(program) @p", "function visit() { 'ab'.repeat(2 ** 24).replace(/a/g, 'bbbbbbbbbbb'); }"),
			says("after")))
		if got := messages(t, status, body); !slices.Equal(got, []string{"before", "after"}) {
			t.Errorf("%s: %s", setting, body)
		}
		var a response
		if err := json.Unmarshal(body, &a); err != nil {
			t.Fatal(err)
		}
		for _, r := range a.RuleResponses[1:3] {
			if len(r.Errors) != 1 || len(r.Violations) > 0 {
				t.Errorf("%s: %+v", setting, r)
			}
		}
		status, _, body = post(t, url, testRequest(t, "1", says("later")))
		if got := messages(t, status, body); !slices.Equal(got, []string{"later"}) {
			t.Errorf("%s: %s", setting, body)
		}
		_, metrics := get(t, url+"/metrics")
		if want := fmt.Sprintf("\nddsabench_worker_processes{executor=%q} 1", setting); !strings.Contains(string(metrics), want) {
			t.Errorf("no %s", want)
		}
		// Which of the two a slow crash is depends on the machine.
		deaths := 0
		for _, cause := range []string{"crashed", "hung"} {
			_, rest, _ := strings.Cut(string(metrics), fmt.Sprintf("\nddsabench_worker_deaths_total{cause=%q,executor=%q} ", cause, setting))
			var n int
			_, _ = fmt.Sscan(rest, &n)
			deaths += n
		}
		if deaths != 2 {
			t.Errorf("%s: %d deaths", setting, deaths)
		}
	}
}

// Programs of several clients at once, some of which do not compile, do not get
// into each other's way in a worker process, and the shadow agrees.
func TestProgramsInProcesses(t *testing.T) {
	c := isolatedConfig(t, "shadow")
	c.Flag = flags.New(flags.Config{Option: "shadow", ShadowSample: "1"})
	s, url := start(t, c)
	var wait sync.WaitGroup
	for i := range 3 {
		wait.Go(func() {
			for n := range 10 {
				want := fmt.Sprint("version ", (i+n)%4)
				status, _, body := post(t, url, testRequest(t, "1", says(want)))
				if got := messages(t, status, body); !slices.Equal(got, []string{want}) {
					t.Errorf("%q, want %q", got, want)
				}
				if _, _, body = post(t, url, testRequest(t, "1", testRule("r", "(nothing) @p", want))); !strings.Contains(string(body), ruleNotDecoded) {
					t.Errorf("%s", body)
				}
			}
		})
	}
	wait.Wait()
	compared := s.shadows.comparers[flags.DDSA]
	if err := compared.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := compared.Counts(); n.Files+n.Dropped != 30 || n.Total() != 0 {
		t.Errorf("%+v, %v", n, compared.Mismatches())
	}
}

// The memory of worker processes is known, the shadow's included, also while
// they are busy.
func TestResident(t *testing.T) {
	c := isolatedConfig(t, "shadow")
	c.Flag = flags.New(flags.Config{Option: "shadow", ShadowSample: "1"})
	c.Limits.Timeout = patience // of the loop, which is cancelled
	s, url := start(t, c)
	resident := func(kind string) (bytes float64) {
		_, metrics := get(t, url+"/metrics")
		_, rest, _ := strings.Cut(string(metrics), fmt.Sprintf("\nddsabench_worker_resident_bytes{executor=%q} ", kind))
		if _, err := fmt.Sscan(rest, &bytes); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	const least = 5 << 20 // V8 alone takes more
	if legacy, ddsa := resident("legacy"), resident("ddsa"); legacy < least || ddsa < least {
		t.Errorf("legacy %v, ddsa %v", legacy, ddsa)
	}
	post(t, url, testRequest(t, "1", says("x")))
	if err := s.shadows.comparers[flags.DDSA].Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := s.shadows.resident(flags.DDSA); n < least || resident("ddsa") < 2*least {
		t.Errorf("the shadow has %d", n)
	}
	var wait sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	wait.Go(func() {
		loop := testRequest(t, "1", testRule("r", "(program) @p", "function visit() { for (;;) {} }"))
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/analyze", bytes.NewReader(loop))
		r.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(httptest.NewRecorder(), r)
	})
	for s.workers.busy.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if n := resident("legacy"); n < least {
		t.Errorf("a busy one has %v", n)
	}
	if s.workers.busy.Load() == 0 {
		t.Error("reading it waited for the worker")
	}
	cancel()
	wait.Wait()
}
