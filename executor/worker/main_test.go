//go:build linux

package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/legacy"
)

func TestMain(m *testing.M) {
	Main(Program{NewExecutor: newTestExecutor, NewParser: newTestParser, FileErrors: []error{errSpoiled}})
	goleak.VerifyTestMain(m)
}

// newTestExecutor makes an executor in the worker, or takes the worker over to
// play one that dies.
func newTestExecutor(name string, limits executor.Limits) (executor.Executor, error) {
	switch name {
	case "legacy":
		return legacy.New(limits)
	case "ddsa":
		return ddsa.New(limits)
	case "refused":
		return nil, errors.New("there is no such thing")
	}
	if script, ok := strings.CutPrefix(name, "dies "); ok {
		return dying(script), nil
	}
	return nil, fmt.Errorf("no executor %q", name)
}

// A testParser does not parse: the text says what the matches are.
type testParser struct{}

var errSpoiled = errors.New("spoiled")

func newTestParser([]*executor.Rule, []byte) (Parser, error) { return testParser{}, nil }

// A prepared file is the text of a file with its matches.
type prepared struct {
	Text         string
	ASCII        bool
	Count        int
	Names        []string
	Nodes, Words []uint32
}

var fileID atomic.Uint64

func (testParser) Parse(path string, language executor.Language, text string) (*executor.File, error) {
	if text == "spoiled" {
		return nil, fmt.Errorf("%s: %w", path, errSpoiled)
	}
	if text == "endless" {
		select {}
	}
	if text == "deadly" {
		kill9()
	}
	p := prepared{Text: text, ASCII: true, Count: 1, Words: []uint32{0}}
	if strings.HasPrefix(text, "{") {
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			return nil, err
		}
	}
	return &executor.File{
		ID: fileID.Add(1), Path: path, Language: language, Text: p.Text, ASCII: p.ASCII,
		Tree: &executortest.Tree{Found: executor.Matches{Count: p.Count, Names: p.Names, Nodes: p.Nodes, Words: p.Words}},
	}, nil
}

func (testParser) Parsed() executor.Parsed { return executor.Parsed{Parse: 1, Match: 1} }
func (testParser) Close() error            { return nil }

// patient are options under which a slow machine makes nothing hang.
func patient(name string, limits executor.Limits) Options {
	o := DefaultOptions(name, limits)
	o.Grace = startLimit
	o.ParseLimit = startLimit
	o.Ceiling = 8 << 30
	return o
}

func start(t testing.TB, o Options) *Executor {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func rule(name, body string) *executor.Rule {
	return &executor.Rule{
		Name: "set/" + name, Language: executor.JavaScript, Code: "function visit(match, filename, code) {" + body + "}",
	}
}

// show is all that a file's results say, times apart.
func show(err error, results []executor.PairResult) string {
	var b strings.Builder
	if err != nil {
		fmt.Fprintln(&b, err)
	}
	for _, r := range results {
		fmt.Fprintf(&b, "%s: %s", strings.TrimPrefix(r.Rule.Name, "set/"), r.Result.Output)
		var e *executor.Error
		if errors.As(r.Err, &e) {
			fmt.Fprintf(&b, "%v", e.Outcome)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// run runs rules over a file.
func run1(t testing.TB, e *Executor, path, text string, rules ...*executor.Rule) string {
	t.Helper()
	result, err := executor.ExecuteFile(t.Context(), e, &executor.File{Path: path, Language: executor.JavaScript, Text: text}, rules)
	return show(errors.Join(err, result.Err), result.Results)
}
