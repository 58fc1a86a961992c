package ddsabench_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
)

// A JSON file of 10,000 rules loads, compiles, finds what it should, and runs.
func TestTenThousandRules(t *testing.T) {
	const n = 10_000
	start := time.Now()
	sets, err := rules.Load(manyRules(t, n), rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []*executor.Rule
	for _, r := range rules.All(sets) {
		all = append(all, &r.Rule)
	}
	p := newParser(t, all)
	if took := time.Since(start); took > 30*time.Second || len(all) != n {
		t.Errorf("%d rules loaded and compiled in %v", len(all), took)
	}

	file, err := p.Parse("a.js", executor.JavaScript, "f(id0, id4999, id9999)")
	if err != nil {
		t.Fatal(err)
	}
	ex := newArm(t, "ddsa")
	for i, rule := range all {
		res, err := ex.Execute(t.Context(), rule, file)
		want := 0
		if i == 0 || i == 4999 || i == 9999 {
			want = 1
		}
		if err != nil || len(res.Violations) != want {
			t.Fatalf("%s: %d violations, want %d, error %v", rule.Name, len(res.Violations), want, err)
		}
	}
}

// manyRules writes a file of n rules, each of which looks for a name of its own.
func manyRules(t *testing.T, n int) string {
	t.Helper()
	type object map[string]any
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	code := encode(`function visit(match) { addError(Violation.new("found", match.get("id"))); }`)
	sum := sha256.Sum256([]byte(code))
	list := make([]object, n)
	for i := range list {
		list[i] = object{
			"name": fmt.Sprintf("rule-%d", i), "category": "SECURITY", "severity": "ERROR", "language": "JAVASCRIPT",
			"rule_type": "TREE_SITTER_QUERY", "code": code, "checksum": hex.EncodeToString(sum[:]), "tests": []any{},
			"tree_sitter_query": encode(fmt.Sprintf(`((identifier) @id (#eq? @id "id%d"))`, i)),
		}
	}
	data, err := json.Marshal([]object{{"name": "many", "rules": list}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
