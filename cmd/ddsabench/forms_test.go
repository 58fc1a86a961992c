package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/findings"
	"github.com/ddsabench/ddsabench/findings/findingstest"
	"github.com/ddsabench/ddsabench/harness/corpus"
	"github.com/ddsabench/ddsabench/syntax"
)

// All forms of a tier's analysis hold the same findings, and the server has
// them too. The tier is small unless CORPUS says otherwise, its cache the
// user's unless CORPUS_CACHE names one.
func TestFormsAndServerAgree(t *testing.T) {
	long(t)
	tier, cache := cmp.Or(os.Getenv("CORPUS"), "small"), fetched(t, "CORPUS_CACHE")
	load, err := source{Corpus: tier, Cache: cache, Rules: rulesSource{Path: builtin}, Every: 1}.open()
	if errors.Is(err, corpus.ErrNotFetched) {
		t.Skip("the tier is not fetched; run: ddsabench corpus fetch ", tier)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer load.close()

	var want []findingstest.Row
	for _, form := range findings.Names() {
		code, stdout, stderr := call(t, t.Context(), "analyze", tier, "--cache", cache, "--format", form, "--isolation", "thread")
		if code != exitOK {
			t.Fatalf("%s: code %d: %s", form, code, stderr)
		}
		got := findingstest.Parse(t, form, stdout)
		for i := range got {
			got[i].Text = plain(got[i].Text)
		}
		if want == nil {
			want = got
		}
		if len(got) == 0 {
			t.Fatalf("%s: no findings", form)
		}
		agree(t, form, want, got)
	}
	agree(t, "server", want, served(t, load))
	t.Logf("%s: %d findings in each of %d forms and from the server", tier, len(want), len(findings.Names()))
}

func agree(t *testing.T, what string, want, got []findingstest.Row) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("%s: %d findings, want %d; from number %d on:\n%s", what, len(got), len(want), i,
				gocmp.Diff(want[i:min(i+3, len(want))], got[min(i, len(got)):min(i+3, len(got))]))
		}
	}
}

// served sends each file to a server.
func served(t *testing.T, load *workload) (rows []findingstest.Row) {
	t.Helper()
	address, stop := startServer(t, "--isolation", "thread")
	type m = map[string]any
	encode := base64.StdEncoding.EncodeToString
	rules, severities := map[executor.Language][]m{}, map[string]string{}
	for language, list := range load.rules.byLanguage {
		for _, r := range list {
			code := encode([]byte(r.Code))
			sum := sha256.Sum256([]byte(code))
			rules[language] = append(rules[language], m{
				"id": r.Name, "language": r.Language, "type": "TREE_SITTER_QUERY", "severity": r.Severity,
				"code": code, "checksum": hex.EncodeToString(sum[:]), "tree_sitter_query": encode([]byte(r.Query)),
			})
			severities[r.Name] = string(r.Severity)
		}
	}
	for i := range load.files.Len() {
		entry, err := load.files.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		text, err := load.files.Read(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(m{
			"filename": entry.Path, "language": entry.Language, "file_encoding": "utf-8",
			"code": encode([]byte(syntax.Decode(text))), "rules": rules[entry.Language],
		})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, ask(t, address, entry.Path, severities, body)...)
	}
	if code, log := stop(); code != exitOK {
		t.Errorf("code %d\n%.1000s", code, log)
	}
	return rows
}

func ask(t *testing.T, address, path string, severities map[string]string, body []byte) (rows []findingstest.Row) {
	t.Helper()
	answer, err := http.Post("http://"+address+"/analyze", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var response struct {
		Responses []struct {
			Identifier string
			Errors     []string
			Violations []executor.Violation
		} `json:"rule_responses"`
		Errors []string
	}
	if err := json.NewDecoder(answer.Body).Decode(&response); err != nil || len(response.Errors) > 0 {
		t.Fatalf("%s: %d, %v %v", path, answer.StatusCode, err, response.Errors)
	}
	for _, r := range response.Responses {
		if len(r.Errors) > 0 {
			t.Fatalf("%s, %s: %v", path, r.Identifier, r.Errors)
		}
		for _, v := range r.Violations {
			rows = append(rows, findingstest.Row{
				Path: path, Rule: r.Identifier, Kind: findingstest.Violation, Line: v.Start.Line, Column: v.Start.Col,
				Severity: severities[r.Identifier], Text: plain(v.Message),
			})
		}
	}
	return rows
}
