package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// patience is far more than anything here takes.
const patience = time.Minute

// testConfig is a configuration with real executors and the flag at setting.
func testConfig(t testing.TB, setting string) Config {
	t.Helper()
	c := DefaultConfig()
	c.NewRunner = func(kind flags.Runtime, l executor.Limits) (Runner, error) {
		ex, err := ddsabench.NewArm(string(kind), l)
		if err != nil {
			return nil, err
		}
		return NewRunner(ex), nil
	}
	c.NewShadow = func(kind flags.Runtime, l executor.Limits) (executor.Executor, error) {
		return ddsabench.NewArm(string(kind), l)
	}
	c.Flag = flags.New(flags.Config{Option: setting})
	t.Cleanup(func() { c.Flag.Close() })
	if err := c.Flag.Status().Err; err != nil {
		t.Fatal(err)
	}
	return c
}

// start makes a server and serves it until the test ends.
func start(t testing.TB, c Config) (s *Server, url string) {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		web.Close()
		http.DefaultClient.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, web.URL
}

// post sends a body and returns the status, the headers and the answer.
func post(t testing.TB, url string, body []byte, headers ...string) (int, http.Header, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/analyze", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return do(t, r)
}

func get(t testing.TB, url string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	status, _, body := do(t, r)
	return status, body
}

func do(t testing.TB, r *http.Request) (int, http.Header, []byte) {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, body
}

type m = map[string]any

func b64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// testRule is a rule as it is sent.
func testRule(id, query, code string) m {
	encoded := b64(code)
	sum := sha256.Sum256([]byte(encoded))
	return m{
		"id": id, "language": "JAVASCRIPT", "type": "TREE_SITTER_QUERY", "code": encoded,
		"checksum": hex.EncodeToString(sum[:]), "tree_sitter_query": b64(query),
	}
}

// says is a rule that reports message once for each file.
func says(message string) m {
	return testRule("set/says", "(program) @p", `function visit(m) { addError(Violation.new("`+message+`", m.get("p"))); }`)
}

func testRequest(t testing.TB, text string, rules ...m) []byte {
	t.Helper()
	body, err := json.Marshal(m{
		"filename": "a.js", "language": "JAVASCRIPT", "file_encoding": "utf-8", "code": b64(text), "rules": rules,
	})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// messages are the violations' messages of an answer that went well.
func messages(t testing.TB, status int, body []byte) []string {
	t.Helper()
	var a response
	if err := json.Unmarshal(body, &a); err != nil || status != http.StatusOK || len(a.Errors) > 0 {
		t.Fatalf("status %d, %v: %s", status, err, body)
	}
	var all []string
	for _, r := range a.RuleResponses {
		for _, v := range r.Violations {
			all = append(all, v.Message)
		}
	}
	return all
}
