package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdExits is "exits CODE COMMAND...": exec with a certain exit code.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdJSON is "json FILE PATH WANT": the value at a dotted path, as JSON. FILE
// must hold one JSON value and nothing else. A list has a "len".
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	var value any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &value); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	for key := range strings.SplitSeq(args[1], ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			if key == "len" {
				value = len(v)
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				ts.Fatalf("%s: no element %q of %d", args[1], key, len(v))
			}
			value = v[i]
		default:
			ts.Fatalf("%s: nothing below %v at %q", args[1], v, key)
		}
	}
	text, err := json.Marshal(value)
	ts.Check(err)
	if string(text) != args[2] {
		ts.Fatalf("%s is %s, want %s", args[1], text, args[2])
	}
}

var masks = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "SHA256"},
	{regexp.MustCompile(`seed \d+`), "seed SEED"},
	{regexp.MustCompile(`SLOWEST RULES[^\0]*?\n\n`), ""},
	{regexp.MustCompile(`"times":.*`), `"times":TIMES}`},
	{regexp.MustCompile(`\b\d+(\.\d+)?(µs|ms|s)\b`), "TIME"},
	{regexp.MustCompile(`20\d{6}T\d{6}\.\d{3}Z`), "DATE"},
	{regexp.MustCompile(`: (legacy|ddsa)(, warm-up)?\n`), ": ARM$2\n"},
}

// cmdMask is "mask FILE NEW": a copy in which what changes from run to run is
// replaced by words.
func cmdMask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mask FILE NEW")
	}
	text := ts.ReadFile(args[0])
	for _, m := range masks {
		text = m.from.ReplaceAllString(text, m.to)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

// ruleFile is the text of a rule file.
func ruleFile(name, language, query, code string) string {
	return fmt.Sprintf(`name: %s
short_description: a rule for tests
category: CODE_STYLE
severity: WARNING
language: %s
rule_type: TREE_SITTER_QUERY
tree_sitter_query: %q
code: %q
tests: []
`, name, language, query, code)
}
