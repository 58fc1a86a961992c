package rules

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// jsonRule is a rule in the JSON form with every key; change may alter it.
func jsonRule(name string, change func(map[string]any)) map[string]any {
	code := b64("function visit(match) {}\n")
	sum := sha256.Sum256([]byte(code))
	r := map[string]any{
		"name": name, "short_description": b64("Short"), "description": nil, "category": "SECURITY", "severity": "ERROR",
		"language": "TYPESCRIPT", "rule_type": "TREE_SITTER_QUERY", "entity_checked": nil, "code": code,
		"checksum": hex.EncodeToString(sum[:]), "tree_sitter_query": b64("(identifier) @id"), "pattern": nil, "cwe": "79",
		"arguments":  []any{map[string]any{"name": b64("limit"), "description": b64("How many")}},
		"tests":      []any{map[string]any{"annotation_count": 2, "filename": "a.ts", "code": b64("é")}},
		"is_testing": false, "documentation_url": "https://example.org", "of_the_future": []any{},
	}
	if change != nil {
		change(r)
	}
	return r
}

func jsonSets(t testing.TB, set string, rules ...any) string {
	t.Helper()
	out, err := json.MarshalIndent([]any{map[string]any{"name": set, "description": b64("Set"), "rules": rules}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestJSONReadsAllFields(t *testing.T) {
	dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", nil))})
	file := filepath.Join(dir, "r.json")
	got, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Set{{Name: "s", Description: "Set", Rules: []*Rule{{
		Rule: executor.Rule{
			Name: "s/one", Language: executor.TypeScript, Severity: executor.SeverityError, Category: "SECURITY",
			Query: "(identifier) @id", Code: "function visit(match) {}\n",
		},
		File: file, Line: 6, ShortDescription: "Short", CWE: "79", DocumentationURL: "https://example.org",
		Parameters: []Parameter{{"limit", "How many"}},
		Tests:      []TestCase{{"a.ts", "é", 2}},
	}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONFaults(t *testing.T) {
	set := func(key string, v any) func(map[string]any) { return func(r map[string]any) { r[key] = v } }
	without := func(key string) func(map[string]any) { return func(r map[string]any) { delete(r, key) } }
	tests := []struct {
		name   string
		change func(map[string]any)
		want   string
	}{
		{"sound", nil, ""},
		{"no tests at all", set("tests", []any{}), ""},
		{"empty cwe", set("cwe", ""), ""},
		{"no tests key", without("tests"), "6:4: rule s/one: tests is missing"},
		{"no query", without("tree_sitter_query"), "rule s/one: tree_sitter_query is missing"},
		{"no checksum", without("checksum"), "rule s/one: checksum is missing"},
		{"empty checksum", set("checksum", ""), "rule s/one: checksum is empty"},
		{"wrong checksum", set("checksum", strings.Repeat("0", 64)), "rule s/one: checksum does not fit the code"},
		{"plain text", set("tree_sitter_query", "(identifier) @id"), "tree_sitter_query is not base64"},
		{"unpadded base64", set("tree_sitter_query", "YQ"), "tree_sitter_query is not base64"},
		{"base64 with line breaks", set("tree_sitter_query", "KGlkZW50\naWZpZXIpIEBpZA=="), "it has line breaks"},
		{"base64 of no text", set("description", "/w=="), "description is not UTF-8 after base64"},
		{"unknown language", set("language", "COBOL"), `language "COBOL" is not known; want one of JAVASCRIPT`},
		{"unknown type", set("rule_type", "GUESS"), `rule_type "GUESS" is not known`},
		{"count is text", set("tests", []any{map[string]any{"annotation_count": "2", "filename": "a", "code": ""}}), "annotation_count must be a number, not text"},
		{"count is a fraction", set("tests", []any{map[string]any{"annotation_count": 1.5, "filename": "a", "code": ""}}), "must be a whole number from 0, not 1.5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", tt.change), jsonRule("two", nil))})
			sets, err := Load(filepath.Join(dir, "r.json"), Options{SkipBroken: true})
			if got := faults(t, dir, err); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if n := len(All(sets)); (n == 2) != (tt.want == "") || n == 0 {
				t.Errorf("%d rules are left", n)
			}
			if strings.Contains(tt.name, "checksum") {
				if _, err := Load(filepath.Join(dir, "r.json"), Options{BypassChecksum: true}); err != nil {
					t.Errorf("with the checksum bypassed: %v", err)
				}
			}
		})
	}
}

func TestJSONFileForms(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"no prefix without a set name", jsonSets(t, "", jsonRule("one", nil)), ""},
		{"object", "{}", "1:1: want an array of rule sets, not a mapping"},
		{"nothing", "", "1:1: the JSON ends too early"},
		{"cut off", "[{\"name\":", "1:10: the JSON ends too early"},
		{"syntax", "[\n {name: 1}]", "2:3: not JSON"},
		{"tail", "[] []", "1:4: more text after the JSON value"},
		{"key twice", `[{"name": "a", "name": "b", "rules": []}]`, `1:16: key "name" stands twice in one object`},
		{"set is a number", "[1]", "1:2: a rule set must be a mapping, not a number"},
		{"set without rules", `[{"name": "s"}]`, "1:2: rules is missing"},
		{"rule is a list", `[{"name": "s", "rules": [[]]}]`, "1:26: a rule must be a mapping, not a list"},
		{"deep", strings.Repeat("[", 1000), "nested deeper than 100 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, map[string]string{"r.json": tt.content})
			_, err := Load(filepath.Join(dir, "r.json"), Options{})
			if got := faults(t, dir, err); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestTenThousandRules(t *testing.T) {
	all := make([]any, 10_000)
	for i := range all {
		all[i] = jsonRule(fmt.Sprintf("rule-%d", i), nil)
	}
	dir := write(t, map[string]string{"r.json": jsonSets(t, "s", all...)})
	sets, err := Load(filepath.Join(dir, "r.json"), Options{})
	if err != nil || len(All(sets)) != len(all) {
		t.Errorf("%d rules, %v", len(All(sets)), err)
	}
}
