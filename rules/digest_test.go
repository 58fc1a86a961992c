package rules

import (
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func TestDigest(t *testing.T) {
	a := &executor.Rule{Name: "s/a", Language: executor.JavaScript, Query: "q", Code: "c", Severity: "ERROR", Category: "SECURITY"}
	b := &executor.Rule{Name: "s/b"}
	base := Digest([]*executor.Rule{a, b})
	if Digest([]*executor.Rule{b, a}) != base {
		t.Error("the order of the rules matters")
	}
	if len(base) != 64 {
		t.Errorf("%q is no SHA-256 in hex", base)
	}
	seen := map[string]string{base: "the base"}
	for name, change := range map[string]func(*executor.Rule){
		"name":                      func(r *executor.Rule) { r.Name = "s/c" },
		"language":                  func(r *executor.Rule) { r.Language = executor.TypeScript },
		"query":                     func(r *executor.Rule) { r.Query = "" },
		"code":                      func(r *executor.Rule) { r.Code = "d" },
		"severity":                  func(r *executor.Rule) { r.Severity = "NONE" },
		"category":                  func(r *executor.Rule) { r.Category = "UNKNOWN" },
		"argument":                  func(r *executor.Rule) { r.Arguments = map[string]string{"limit": "3"} },
		"text moved between fields": func(r *executor.Rule) { r.Query, r.Code = "qc", "" },
	} {
		changed := *a
		change(&changed)
		d := Digest([]*executor.Rule{&changed, b})
		if other, taken := seen[d]; taken {
			t.Errorf("%s: the same digest as %s", name, other)
		}
		seen[d] = name
	}
}
