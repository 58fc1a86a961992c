package jsrt

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/v8"
)

//go:embed setup/*.js
var setupFiles embed.FS

// contextSetup is what the contexts of all runtimes start with.
var contextSetup = sync.OnceValue(func() *v8.Setup {
	files, err := setupFiles.ReadDir("setup")
	if err != nil {
		panic(err) // the files are in the binary
	}
	var b strings.Builder
	b.WriteString("\"use strict\";\n" + watchedScript())
	for _, f := range files { // sorted by name
		text, err := setupFiles.ReadFile("setup/" + f.Name())
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	return v8.NewSetup(b.String())
})

// editsPerViolation bounds a run's fixes and edits together, by its limit on
// violations.
const editsPerViolation = 10

// config is what a context has to know of its rule.
func config(rule *executor.Rule, captures []string, l executor.Limits) (string, error) {
	text, err := json.Marshal(struct {
		Captures  []string          `json:"captures"`
		Arguments map[string]string `json:"arguments"`
		Language  executor.Language `json:"language"`
		Limits    map[string]int    `json:"limits"`
	}{
		captures, rule.Arguments, rule.Language,
		map[string]int{"violations": l.Violations, "edits": editsPerViolation * l.Violations, "text": l.Message, "output": l.Output},
	})
	return string(text), err
}

// source makes a function of a rule's text. The rule's own declarations are
// local to the function and new with each call of it. Line 1 is the rule's.
func source(rule *executor.Rule) v8.Source {
	return v8.Source{
		Name:       "rule",
		LineOffset: -1,
		Body: "\"use strict\";\n" + rule.Code + "\n;return { visit" +
			", before: typeof beforeAll === \"function\" ? beforeAll : undefined" +
			", after: typeof afterAll === \"function\" ? afterAll : undefined };",
		// No other rule can make a promise. Its microtasks run when the runner has
		// already looked for changed intrinsics.
		Async: strings.Contains(rule.Code, "async") || strings.Contains(rule.Code, "import"),
	}
}
