package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// A named runner says by its answer which executor it stands for.
type namedRunner string

func (r namedRunner) Run(_ context.Context, p *Program, _ string, _ executor.Language, _ string) ([]executor.PairResult, error) {
	results := make([]executor.PairResult, len(p.Rules))
	for i, rule := range p.Rules {
		results[i] = executor.PairResult{Rule: rule, Result: executor.Result{
			Entered: true, Violations: []executor.Violation{{Message: string(r)}},
		}}
	}
	return results, nil
}

func (namedRunner) Stats() executor.Stats { return executor.Stats{} }
func (namedRunner) Close() error          { return nil }

// Each request is decided for by its header, else its repository, else its
// file's name.
func TestTargetingKey(t *testing.T) {
	c := testConfig(t, "50%")
	c.NewShadow = nil
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) { return namedRunner(kind), nil }
	_, url := start(t, c)
	keys := map[flags.Runtime]string{}
	for i := 0; len(keys) < 2; i++ {
		key := fmt.Sprint("key", i)
		keys[c.Flag.Evaluate(key).Value] = key
	}
	legacy, ddsa := keys[flags.Legacy], keys[flags.DDSA]
	for _, test := range []struct{ header, repository, file, want string }{
		{"", "", legacy, "legacy"},
		{"", "", ddsa, "ddsa"},
		{"", ddsa, legacy, "ddsa"},
		{"", legacy, ddsa, "legacy"},
		{ddsa, legacy, legacy, "ddsa"},
		{legacy, ddsa, ddsa, "legacy"},
	} {
		var request m
		if err := json.Unmarshal(testRequest(t, "1", says("x")), &request); err != nil {
			t.Fatal(err)
		}
		request["filename"] = test.file
		if test.repository != "" {
			request["repository"] = test.repository
		}
		body, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		status, _, text := post(t, url, body, keyHeader, test.header)
		if got := messages(t, status, text); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// A server follows the flag's file, both ways, without a request that fails.
func TestFollowsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flag.yaml")
	set := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	set("runtime: legacy")
	c := testConfig(t, "legacy")
	flag := flags.New(flags.Config{File: file})
	defer flag.Close()
	c.Flag = flag
	c.NewShadow = nil
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) { return namedRunner(kind), nil }
	_, url := start(t, c)
	body := testRequest(t, "1", says("x"))
	for _, step := range []struct{ text, want string }{
		{"runtime: ddsa", "ddsa"},
		{"runtime: ddsa\nkill: true", "legacy"},
		{"runtime: ddsa", "ddsa"},
		{"runtime: legacy", "legacy"},
	} {
		set(step.text)
		for changed := time.Now(); ; {
			status, _, text := post(t, url, body)
			if got := messages(t, status, text); slices.Equal(got, []string{step.want}) {
				break
			}
			if time.Since(changed) > patience {
				t.Fatalf("%q has no effect", step.text)
			}
		}
	}
}

// With shadow and live, the answer is the authority's; the other side compares
// and finds the same.
func TestShadow(t *testing.T) {
	for _, setting := range []string{"shadow", "live"} {
		c := testConfig(t, setting)
		c.Flag = flags.New(flags.Config{Option: setting, ShadowSample: "1"})
		s, url := start(t, c)
		for i := range 10 {
			want := fmt.Sprint("message ", i%2)
			status, _, body := post(t, url, testRequest(t, "alert(1)", says(want)))
			if got := messages(t, status, body); !slices.Equal(got, []string{want}) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		compared := s.shadows.comparers[c.Flag.Evaluate("").Value.Other()]
		if err := compared.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := compared.Counts(); n.Files != 10 || n.Pairs != 10 || n.Total() != 0 {
			t.Errorf("%s: %+v, %v", setting, n, compared.Mismatches())
		}
	}
}

// What differs is counted and shown, without the file's text.
func TestShadowMismatch(t *testing.T) {
	c := testConfig(t, "shadow")
	c.Flag = flags.New(flags.Config{Option: "shadow", ShadowSample: "1"})
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) { return namedRunner("secret"), nil }
	s, url := start(t, c)
	post(t, url, testRequest(t, "secret()", says("x")))
	if err := s.shadows.comparers[flags.DDSA].Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, metrics := get(t, url+"/metrics")
	if want := `ddsabench_shadow_mismatches_total{executor="ddsa",kind="violations"} 1`; !strings.Contains(string(metrics), want) {
		t.Errorf("no %s", want)
	}
	_, body := get(t, url+"/runtime")
	var a status
	if err := json.Unmarshal(body, &a); err == nil {
		t.Error("kinds of mismatches are words")
	}
	if !strings.Contains(string(body), `"rule":"set/says"`) || strings.Contains(string(body), "secret") {
		t.Errorf("%s", body)
	}
}
