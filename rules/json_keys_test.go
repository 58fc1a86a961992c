package rules

import (
	"path/filepath"
	"strings"
	"testing"
)

// Each key on its own: missing, null, and of a value that the format does not
// have. Optional keys may miss or be null; the others are named.
func TestJSONKeys(t *testing.T) {
	tests := []struct{ key, missing, null, wrong string }{
		{"name", "name is missing", "name is missing", "name must be text, not a number"},
		{"category", "category is missing", "category is missing", "category must be text, not a number"},
		{"severity", "severity is missing", "severity is missing", "severity must be text, not a number"},
		{"language", "language is missing", "language is missing", "language must be text, not a number"},
		{"rule_type", "rule_type is missing", "rule_type is missing", "rule_type must be text, not a number"},
		{"code", "code is missing", "code is missing", "code must be text, not a number"},
		{"checksum", "checksum is missing", "checksum is missing", "checksum must be text, not a number"},
		{"tree_sitter_query", "tree_sitter_query is missing", "tree_sitter_query is missing", "tree_sitter_query must be text, not a number"},
		{"tests", "tests is missing", "tests is missing", "tests must be a list, not a number"},
		{"short_description", "", "", "short_description must be text, not a number"},
		{"description", "", "", "description must be text, not a number"},
		{"documentation_url", "", "", "documentation_url must be text, not a number"},
		{"arguments", "", "", "arguments must be a list, not a number"},
		{"cwe", "", "", ""},
		{"entity_checked", "", "", ""},
		{"pattern", "", "", ""},
		{"is_testing", "", "", ""},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			how, want string
			change    func(map[string]any)
		}{
			{"missing", tt.missing, func(r map[string]any) { delete(r, tt.key) }},
			{"null", tt.null, func(r map[string]any) { r[tt.key] = nil }},
			{"wrong", tt.wrong, func(r map[string]any) { r[tt.key] = 1 }},
		} {
			t.Run(tt.key+"/"+c.how, func(t *testing.T) {
				dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", c.change), jsonRule("two", nil))})
				_, err := Load(filepath.Join(dir, "r.json"), Options{SkipBroken: true})
				if got := faults(t, dir, err); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
					t.Errorf("got  %q\nwant %q", got, c.want)
				}
			})
		}
	}
}

func TestJSONEnums(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"severity", "FATAL", `severity "FATAL" is not known; want one of ERROR WARNING NOTICE NONE`},
		{"severity", "error", `severity "error" is not known`},
		{"language", "javascript", `language "javascript" is not known`},
		{"rule_type", "tree_sitter_query", `rule_type "tree_sitter_query" is not known`},
	} {
		dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", func(r map[string]any) { r[c.key] = c.value }))})
		_, err := Load(filepath.Join(dir, "r.json"), Options{})
		if got := faults(t, dir, err); !strings.Contains(got, "rule s/one: "+c.want) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}

	// As in the original, a category may be any.
	dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", func(r map[string]any) { r["category"] = "TASTE" }))})
	sets, err := Load(filepath.Join(dir, "r.json"), Options{})
	if err != nil || sets[0].Rules[0].Category != "UNKNOWN" {
		t.Errorf("%+v, %v", sets, err)
	}
}

// All faults of all rules are told at once, with the place of each.
func TestJSONTellsAllFaults(t *testing.T) {
	bad := jsonRule("bad", func(r map[string]any) { r["severity"], r["code"] = "FATAL", "?" })
	dir := write(t, map[string]string{"r.json": jsonSets(t, "s", jsonRule("one", nil), bad, jsonRule("one", nil))})
	sets, err := Load(filepath.Join(dir, "r.json"), Options{})
	got := faults(t, dir, err)
	for _, want := range []string{"rule s/bad: severity", "rule s/bad: code is not base64", "rule s/one: the name is taken"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if sets != nil {
		t.Error("rules were loaded all the same")
	}
}
