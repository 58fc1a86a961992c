package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// What is not JSON gets 400, and JSON that is no request 422; both say what is
// wrong in the form of an answer.
func TestMalformed(t *testing.T) {
	c := testConfig(t, "legacy")
	c.Body = 10_000
	_, url := start(t, c)
	rule := func(key string, value any) m {
		r := says("x")
		r[key] = value
		if value == nil {
			delete(r, key)
		}
		return r
	}
	with := func(key string, value any) string {
		request := m{
			"filename": "a.js", "language": "JAVASCRIPT", "file_encoding": "utf-8", "code": "", "rules": []m{says("x")},
		}
		request[key] = value
		if value == nil {
			delete(request, key)
		}
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for _, test := range []struct {
		body   string
		status int
		says   string
	}{
		{"", 400, "not JSON"},
		{"{", 400, "not JSON"},
		{"{} {}", 400, "not JSON"},
		{"[]", 422, "request: want an object"},
		{"null", 422, "request: want an object"},
		{"{}", 422, "filename is missing"},
		{with("filename", nil), 422, "request: filename is missing; want text"},
		{with("filename", 1), 422, "request: filename: want text"},
		{with("filename", strings.Repeat("x", 5000)), 422, "filename: want at most 4096 bytes, got 5000"},
		{with("rules", []m{rule("id", strings.Repeat("x", 5000))}), 422, "rules[0]: id: want at most 4096 bytes, got 5000"},
		{strings.Replace(with("x", 1), `"filename"`, `"Filename"`, 1), 422, "filename is missing"},
		{with("language", "javascript"), 422, `language "javascript" is unknown; known are JAVASCRIPT, TYPESCRIPT`},
		{with("language", strings.Repeat("x", 5000)), 422, `language "xxxxx`},
		{with("file_encoding", nil), 422, "file_encoding is missing"},
		{with("code", nil), 422, "code is missing"},
		{with("rules", nil), 422, "rules is missing"},
		{with("rules", m{}), 422, "rules: want a list"},
		{with("rules", []int{1}), 422, "rules[0]: want an object"},
		{with("rules", []m{says("x"), rule("id", nil)}), 422, "rules[1]: id is missing"},
		{with("rules", []m{rule("type", "X")}), 422, `rules[0]: type "X" is unknown`},
		{with("rules", []m{rule("severity", "HIGH")}), 422, `rules[0]: severity "HIGH" is unknown`},
		{with("rules", []m{rule("checksum", 1)}), 422, "rules[0]: checksum: want text"},
		{with("rules", []m{rule("arguments", []m{{"name": ""}})}), 422, "rules[0].arguments[0]: description is missing"},
		{with("options", m{"log_output": "yes"}), 422, "options: log_output: want true or false"},
		{with("options", 1), 422, "options: want an object"},
		{with("configuration", 1), 422, "configuration: want base64 text"},
		{with("code", strings.Repeat("A", 20_000)), 413, "too large"},
		{with("more", m{"a": []int{1}}), 200, ""}, // unknown keys are ignored
	} {
		status, _, body := post(t, url, []byte(test.body))
		var a response
		if err := json.Unmarshal(body, &a); err != nil {
			t.Errorf("%.80s: %v: %s", test.body, err, body)
		}
		text := strings.Join(a.Errors, "\n")
		if status != test.status || !strings.Contains(text, test.says) || len(text) > 500 {
			t.Errorf("%.80s: %d %q, want %d %q", test.body, status, text, test.status, test.says)
		}
	}
}

// Other methods, paths and types of content are refused.
func TestRouting(t *testing.T) {
	_, url := start(t, testConfig(t, "legacy"))
	body := testRequest(t, "1", says("x"))
	for _, test := range []struct {
		method, path, contentType string
		status                    int
	}{
		{"POST", "/analyze", "application/json; charset=utf-8", 200},
		{"POST", "/analyze", "text/plain", 415},
		{"POST", "/analyze", "", 415},
		{"GET", "/analyze", "", 405},
		{"POST", "/metrics", "", 405},
		{"GET", "/", "", 404},
		{"GET", "/debug/pprof/", "", 404},
	} {
		r, err := http.NewRequest(test.method, url+test.path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if test.contentType != "" {
			r.Header.Set("Content-Type", test.contentType)
		}
		if status, _, _ := do(t, r); status != test.status {
			t.Errorf("%s %s %s: %d, want %d", test.method, test.path, test.contentType, status, test.status)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"filename":"a.js","language":"JAVASCRIPT","file_encoding":"utf-8","code":"YQ==","rules":[]}`))
	f.Add(testRequest(f, "alert(1)", says("x")))
	f.Add([]byte(`{"configuration":"YTogYg==","options":{"log_output":true},"rules":[{"arguments":[{}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := decode(body)
		if err != nil {
			if !errors.Is(err, errForm) && !errors.Is(err, errSyntax) {
				t.Fatal(err)
			}
			return
		}
		task, err := r.validate()
		var known *fault
		switch {
		case err != nil && !errors.As(err, &known):
			t.Fatal(err)
		case err == nil && (len(task.place) != len(r.rules) || slices.Contains(task.rules, nil)):
			t.Fatalf("%+v", task)
		}
	})
}
