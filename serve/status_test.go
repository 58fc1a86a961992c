package serve

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestStatus(t *testing.T) {
	c := testConfig(t, "ddsa")
	c.Version, c.V8 = "v1", "10"
	_, url := start(t, c)
	for path, want := range map[string]string{
		"/healthz":       "ok\n",
		"/readyz":        "ready\n",
		"/version":       `{"version":"v1","v8":"10","go":"go`,
		"/runtime?key=k": `{"decision":{"key":"k","executor":"ddsa","variant":"ddsa","reason":"STATIC","source":"option ddsa-runtime","setting":"ddsa"},"shadow_sample":0.1,`,
	} {
		if status, body := get(t, url+path); status != 200 || !strings.HasPrefix(string(body), want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	post(t, url, testRequest(t, "1", says("x"), testRule("r", "(program) @p", "function visit() { throw 1; }")))
	_, body := get(t, url+"/runtime")
	var a struct {
		Executors map[string]struct {
			Runtimes, Executions uint64
			Outcomes             map[string]uint64
			Live                 uint64 `json:"watchdogs_live"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatal(err)
	}
	d := a.Executors["ddsa"]
	if d.Runtimes != 1 || d.Executions != 2 || d.Outcomes["ok"] != 1 || d.Outcomes["script error"] != 1 || d.Live != 1 ||
		a.Executors["legacy"].Executions != 0 {
		t.Errorf("%s", body)
	}
}

// Without a key /runtime says what a share needs.
func TestStatusOfShare(t *testing.T) {
	_, url := start(t, testConfig(t, "50%"))
	note := `"note":"a share is by targeting key: add ?key=KEY"`
	for path, want := range map[string]bool{"/runtime": true, "/runtime?key=k": false} {
		if _, body := get(t, url+path); strings.Contains(string(body), note) != want {
			t.Errorf("%s: %s", path, body)
		}
	}
}

// Each metric is there from the start, and counts.
func TestMetrics(t *testing.T) {
	_, url := start(t, testConfig(t, "ddsa"))
	post(t, url, testRequest(t, "1", says("x"), testRule("r", "(program) @p", "function visit() { throw 1; }")))
	post(t, url, testRequest(t, "1", says("x"), testRule("r", "(debugger_statement) @p", "function visit() { throw 1; }")))
	post(t, url, []byte("{"))
	_, body := get(t, url+"/metrics")
	for _, want := range []string{
		`ddsabench_executions_total{executor="ddsa",outcome="ok"} 2`,
		`ddsabench_executions_total{executor="ddsa",outcome="script error"} 1`,
		`ddsabench_executions_total{executor="legacy",outcome="ok"} 0`,
		`ddsabench_execution_duration_seconds_count{executor="ddsa"} 3`,
		`ddsabench_watchdog_threads{executor="ddsa"} 1`,
		`ddsabench_watchdog_threads{executor="legacy"} 0`,
		`ddsabench_watchdog_threads_started_total{executor="ddsa"} 1`,
		`ddsabench_isolates{executor="ddsa"} 1`,
		`ddsabench_isolates{executor="legacy"} 1`,
		`ddsabench_worker_resident_bytes{executor="ddsa"} 0`, // no processes
		`ddsabench_requests_total{executor="ddsa",status="200"} 2`,
		`ddsabench_requests_total{executor="none",status="400"} 1`,
		`ddsabench_request_duration_seconds_count{executor="ddsa"} 2`,
		`ddsabench_request_duration_seconds_count{executor="legacy"} 0`,
		`ddsabench_request_duration_seconds_count{executor="none"} 1`,
		`ddsabench_queue_capacity 64`,
		`ddsabench_queue_length 0`,
		`ddsabench_program_misses_total 2`,
		`ddsabench_shadow_mismatches_total{executor="ddsa",kind="violations"} 0`,
		`ddsabench_flag_info{kill="",setting="ddsa",source="option ddsa-runtime"} 1`,
		`ddsabench_flag_error 0`,
		`go_goroutines `,
		`process_resident_memory_bytes `,
	} {
		if !strings.Contains(string(body), "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	// All names of ours have the prefix.
	for _, name := range regexp.MustCompile(`(?m)^# TYPE (\w+)`).FindAllSubmatch(body, -1) {
		prefix, _, _ := strings.Cut(string(name[1]), "_")
		if !slices.Contains([]string{"ddsabench", "go", "process"}, prefix) {
			t.Errorf("metric %s", name[1])
		}
	}
}

// A locked buffer takes log lines from several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

// A request is one line of JSON, which holds no text of files or rules.
func TestLog(t *testing.T) {
	var log lockedBuffer
	c := testConfig(t, "ddsa")
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	_, url := start(t, c)
	post(t, url, testRequest(t, "secret()", testRule("r", "(program) @p", "function visit(m) { throw m.get('p').text; }")))
	post(t, url, testRequest(t, "secret()", testRule("r", "(secret) @p", "secret")))
	post(t, url, []byte(`{"filename": secret}`))
	log.mu.Lock()
	defer log.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 || strings.Contains(log.String(), "secret") {
		t.Errorf("%s", log.String())
	}
	for _, line := range lines {
		var a struct {
			Msg    string
			Status int
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Msg != "analyze" || a.Status == 0 {
			t.Errorf("%v: %s", err, line)
		}
	}
}
