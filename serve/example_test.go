package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/serve"
	"github.com/ddsabench/ddsabench/syntax"
)

// The file alert(1), and a rule that looks for calls of alert.
const request = `{
  "filename": "a.js", "language": "JAVASCRIPT", "file_encoding": "utf-8", "code": "YWxlcnQoMSkK",
  "rules": [{
    "id": "my/no-alert", "language": "JAVASCRIPT", "type": "TREE_SITTER_QUERY",
    "severity": "WARNING", "category": "BEST_PRACTICES",
    "tree_sitter_query": "KChjYWxsX2V4cHJlc3Npb24gZnVuY3Rpb246IChpZGVudGlmaWVyKSBAZikgKCNlcT8gQGYgImFsZXJ0Iikp",
    "code": "ZnVuY3Rpb24gdmlzaXQobSkgeyBhZGRFcnJvcihWaW9sYXRpb24ubmV3KCJVc2UgYSBkaWFsb2cuIiwgbS5nZXQoImYiKSkpOyB9",
    "checksum": "3fee314ab043234bb1b8cc8ba133d8e672cf3abd6867fd50057e5b05157aee15"
  }]
}`

// A Server is an http.Handler. Its rules are other people's, so that they run
// in worker processes: main calls ddsabench.WorkerMain first thing.
func ExampleNew() {
	flag := flags.New(flags.Config{Option: "ddsa"}) // or flags.FromEnvironment()
	defer flag.Close()
	isolated := func(kind flags.Runtime, l executor.Limits) (executor.Executor, error) {
		return ddsabench.NewArmIsolated(string(kind), l, nil, syntax.DefaultOptions()) // rules come with each file
	}
	config := serve.DefaultConfig()
	config.Flag, config.NewShadow = flag, isolated
	config.NewRunner = func(kind flags.Runtime, l executor.Limits) (serve.Runner, error) {
		ex, err := isolated(kind, l)
		if err != nil {
			return nil, err
		}
		return serve.NewRunner(ex), nil
	}
	server, err := serve.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	web := httptest.NewServer(server) // in a program: server.Serve, which drains
	defer web.Close()

	answer, err := web.Client().Post(web.URL+"/analyze", "application/json", strings.NewReader(request))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	var body struct {
		Responses []struct {
			Identifier string
			Violations []struct {
				Start   struct{ Line, Col int }
				Message string
			}
		} `json:"rule_responses"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range body.Responses {
		for _, v := range r.Violations {
			fmt.Printf("%s %d:%d %s\n", r.Identifier, v.Start.Line, v.Start.Col, v.Message)
		}
	}
	// Output:
	// my/no-alert 1:1 Use a dialog.
}
