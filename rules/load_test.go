package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

// A rule file with nothing wrong. The tests change lines of it.
const goodYAML = `name: one
short_description: Short
description: |-
  Long
category: CODE_STYLE
severity: WARNING
language: JAVASCRIPT
rule_type: TREE_SITTER_QUERY
cwe: 95
documentation_url: https://example.org/one
is_published: true
tags: [a, b]
arguments:
  - name: limit
    description: How many
tree_sitter_query: (identifier) @id
code: |
  function visit(match) {}
checksum: 99ab780518300b6147ad1f60f502b77c35e4f749e177ebc79be2324ae0ce64c9
tests:
  - filename: a.js
    code: x
    annotation_count: 1
`

// write makes the files in a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// faults returns err's faults, one a line, with paths relative to dir.
func faults(t *testing.T, dir string, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var fs Faults
	if !errors.As(err, &fs) {
		t.Fatalf("not Faults but %T: %v", err, err)
	}
	return strings.ReplaceAll(fs.Error(), dir+string(filepath.Separator), "")
}

func TestLoadReadsAllFields(t *testing.T) {
	dir := write(t, map[string]string{"one.yaml": goodYAML})
	file := filepath.Join(dir, "one.yaml")
	got, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Set{{Rules: []*Rule{{
		Rule: executor.Rule{
			Name: "one", Language: executor.JavaScript, Severity: executor.SeverityWarning, Category: "CODE_STYLE",
			Query: "(identifier) @id", Code: "function visit(match) {}\n",
		},
		File: file, Line: 1,
		ShortDescription: "Short", Description: "Long", CWE: "95", DocumentationURL: "https://example.org/one",
		Parameters: []Parameter{{"limit", "How many"}},
		Tests:      []TestCase{{"a.js", "x", 1}},
	}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFaultsOfOneRule(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"sound", "", "", ""},
		{"unknown key", "tags:", "labels:", ""},
		{"no name", "name: one\n", "", "1:1: name is missing"},
		{"empty name", "name: one", "name: ''", "1:7: name is empty"},
		{"control character", "name: one", `name: "a\eb"`, `1:7: name "a\x1bb" has characters that do not print, or spaces at an end`},
		{"null counts as missing", "WARNING", "null", "6:11: rule one: severity is missing"},
		{"wrong type", "Short", "[a]", "2:20: rule one: short_description must be text, not a list"},
		{"unknown severity", "WARNING", "GRAVE", `6:11: rule one: severity "GRAVE" is not known; want one of ERROR WARNING NOTICE NONE`},
		{"category the original does not know", "CODE_STYLE", "OTHER", ""},
		{"negative count", "annotation_count: 1", "annotation_count: -1", "23:23: rule one: annotation_count must be a whole number from 0, not -1"},
		{"test is no mapping", "  - filename: a.js\n    code: x\n    annotation_count: 1\n", "  - x\n", "21:5: rule one: a test must be a mapping, not text"},
		{"no visit", "function visit", "function visits", "17:7: rule one: no function visit at the top level of the code; write function visit(match, filename, code) { ... }"},
		{"old checksum", "(match) {}", "(match) { }", "19:11: rule one: checksum does not fit the code, whose own is 073002d5"},
		{"not YAML", "name: one", "name: [", "not YAML: "},
		{"key twice", "category:", "name:", `mapping key "name" already defined at [1:1]`},
		{"second document", "category:", "---\ncategory:", "6:"},
		{"alias", "cwe: 95", "cwe: *one", "*one"},
		{"merge", "cwe: 95", "<<: {a: b}", "9:1: MergeKey is not understood here"},
		{"two faults", "category: CODE_STYLE\nseverity: WARNING\n", "", "rule one: severity is missing\none.yaml:1:1: rule one: category is missing"},
		{"not UTF-8", "Short", "Sh\xffort", "2:22: not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, map[string]string{"one.yaml": strings.Replace(goodYAML, tt.old, tt.new, 1)})
			_, err := Load(filepath.Join(dir, "one.yaml"), Options{})
			got := faults(t, dir, err)
			if !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestSkipped(t *testing.T) {
	for old, want := range map[string]string{
		"language: JAVASCRIPT":         "language RUBY is not parsed here",
		"rule_type: TREE_SITTER_QUERY": "rule type REGEX does not run here",
	} {
		key, _, _ := strings.Cut(old, ":")
		value := map[string]string{"language": "RUBY", "rule_type": "REGEX"}[key]
		dir := write(t, map[string]string{"one.yml": strings.Replace(goodYAML, old, key+": "+value, 1)})
		sets, err := Load(filepath.Join(dir, "one.yml"), Options{})
		if err != nil || len(sets) != 1 || len(sets[0].Skipped) != 1 || sets[0].Skipped[0].Reason != want {
			t.Errorf("%s: got %+v, %v", key, sets, err)
		}
	}
}

func TestFolders(t *testing.T) {
	two := strings.Replace(goodYAML, "name: one", "name: two", 1)
	broken := strings.Replace(goodYAML, "WARNING", "GRAVE", 1)
	tests := []struct {
		name  string
		files map[string]string
		rules string // loaded with SkipBroken
		want  string
	}{
		{"a set", map[string]string{"ruleset.yaml": "name: s", "one.yaml": goodYAML, "two.yml": two, "README.md": "#"}, "s/one s/two", ""},
		{"sets", map[string]string{
			"a/ruleset.yaml": "name: a", "a/one.yaml": goodYAML,
			"b/ruleset.yml": "name: b", "b/one.yaml": goodYAML, ".git/x.yaml": "[", "docs/x.md": "",
		}, "a/one b/one", ""},
		{"prefix is there", map[string]string{"ruleset.yaml": "name: s", "one.yaml": strings.Replace(goodYAML, "one", "s/one", 1)}, "s/one", ""},
		{"one broken", map[string]string{"ruleset.yaml": "name: s", "one.yaml": broken, "two.yaml": two}, "s/two", "one.yaml:6:11: rule s/one: severity"},
		{"name twice", map[string]string{"ruleset.yaml": "name: s", "a.yaml": goodYAML, "b.yaml": goodYAML}, "s/one", "b.yaml:1:7: rule s/one: the name is taken by a rule in a.yaml"},
		{"no head", map[string]string{"one.yaml": goodYAML}, "", "no ruleset.yaml beside the rule files"},
		{"no head below", map[string]string{"a/one.yaml": goodYAML}, "", "a: no ruleset.yaml beside the rule files"},
		{"broken head", map[string]string{"ruleset.yaml": "title: s", "one.yaml": broken}, "", "one.yaml:6:11: rule one: severity"},
		{"head alone", map[string]string{"ruleset.yaml": "name: s"}, "", "no rule files beside ruleset.yaml"},
		{"nothing", nil, "", "no rules: want a ruleset.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			sets, err := Load(dir, Options{})
			if (sets != nil) != (err == nil) {
				t.Errorf("got both or neither of sets %v and error %v", sets, err)
			}
			sets, err = Load(dir, Options{SkipBroken: true})
			if got := faults(t, dir, err); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if got := strings.Join(ruleNames(sets), " "); got != tt.rules {
				t.Errorf("got rules %q, want %q", got, tt.rules)
			}
		})
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	outside := filepath.Join(write(t, map[string]string{"two.yaml": goodYAML}), "two.yaml")
	dir := write(t, map[string]string{"ruleset.yaml": "name: s", "one.yaml": goodYAML})
	for name, target := range map[string]string{"dangling.yaml": "nowhere", "outside.yaml": outside} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	sets, err := Load(dir, Options{SkipBroken: true})
	got := faults(t, dir, err)
	if !strings.Contains(got, "dangling.yaml: cannot be read") || !strings.Contains(got, "outside.yaml: cannot be read") {
		t.Error(got)
	}
	if len(All(sets)) != 1 {
		t.Errorf("got rules %v, want the one that can be read", ruleNames(sets))
	}
	if _, err := Load(filepath.Join(dir, "missing"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing path: %v", err)
	}
	if _, err := Load(os.DevNull, Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("device: %v", err)
	}
}

func TestYAMLFileForms(t *testing.T) {
	indent := "  " + strings.ReplaceAll(strings.TrimSpace(goodYAML), "\n", "\n  ")
	item := "-" + indent[1:]
	tests := []struct{ name, content, rules, want string }{
		{"rule", goodYAML, "one", ""},
		{"list of rules", item, "one", ""},
		{"set", "name: s\nrules:\n" + item, "s/one", ""},
		{"list of sets", "- name: s\n  rules:\n" + "  " + strings.ReplaceAll(item, "\n", "\n  "), "s/one", ""},
		{"text", "hello", "", "must be a mapping, not text"},
		{"empty", "", "", "the file is empty"},
		{"empty list", "[]", "", "holds no rules"},
		{"deep flow", strings.Repeat("[", 1000), "", "nested deeper than 100 levels"},
		{"deep block", strings.Repeat("- ", 1000) + "x", "", "nested deeper than 100 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, map[string]string{"r.yaml": tt.content})
			sets, err := Load(filepath.Join(dir, "r.yaml"), Options{})
			if got := faults(t, dir, err); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if got := strings.Join(ruleNames(sets), " "); got != tt.rules {
				t.Errorf("got rules %q, want %q", got, tt.rules)
			}
		})
	}
}

func ruleNames(sets []Set) []string {
	var names []string
	for _, r := range All(sets) {
		names = append(names, r.Name)
	}
	return names
}
