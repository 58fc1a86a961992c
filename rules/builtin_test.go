package rules

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

func loadBuiltin(t *testing.T) []Set {
	t.Helper()
	sets, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return sets
}

func TestBuiltinSelection(t *testing.T) {
	sets := loadBuiltin(t)
	want := map[executor.Language]string{
		executor.JavaScript: "eqeqeq max-params no-console no-debugger no-empty no-new-func no-var",
		executor.TypeScript: "array-type ban-ts-comment ban-types class-name eqeqeq max-params no-console no-debugger " +
			"no-duplicate-imports no-empty-interface no-explicit-any no-inferrable-types no-namespace no-non-null-assertion no-var",
	}
	for language, names := range want {
		var got []string
		for _, r := range ByLanguage(sets, language) {
			got = append(got, path.Base(r.Name))
			if set := "ddsabench-" + strings.ToLower(string(language)); path.Dir(r.Name) != set {
				t.Errorf("%s is not in set %s", r.Name, set)
			}
		}
		if strings.Join(got, " ") != names {
			t.Errorf("%s: got %v, want %s", language, got, names)
		}
	}
}

// Rules whose script reports each match: what the predicates let through is
// exactly what is found.
var decidedByQuery = []string{
	"eqeqeq", "no-console", "no-debugger", "no-empty", "no-new-func", "no-non-null-assertion",
}

func TestBuiltinQueries(t *testing.T) {
	for _, r := range All(loadBuiltin(t)) {
		exact := slices.Contains(decidedByQuery, path.Base(r.Name)) ||
			path.Base(r.Name) == "no-var" && r.Language == executor.JavaScript
		q := compile(t, r)
		for _, test := range r.Tests {
			switch n := countMatches(t, r, q, test.Code); {
			case exact && n != test.Violations:
				t.Errorf("%s: %s: %d matches, want %d", r.Name, test.Filename, n, test.Violations)
			case n < test.Violations:
				t.Errorf("%s: %s: %d matches cannot give %d violations", r.Name, test.Filename, n, test.Violations)
			}
		}
		q.Close()
	}
}

// Every built-in rule says what it is for, guards its code by a checksum, and
// has code that it reports and code that it must not.
func TestBuiltinIsComplete(t *testing.T) {
	for _, r := range All(loadBuiltin(t)) {
		if r.ShortDescription == "" || r.Description == "" || r.Category == "UNKNOWN" {
			t.Errorf("%s: description or category is missing", r.Name)
		}
		source, err := builtin.ReadFile(r.File)
		if err != nil || !strings.Contains(string(source), "\nchecksum: ") {
			t.Errorf("%s: no checksum (%v)", r.Name, err)
		}
		compliant := func(c TestCase) bool { return c.Violations == 0 }
		if i := slices.IndexFunc(r.Tests, compliant); i < 0 {
			t.Errorf("%s: no test of compliant code", r.Name)
		}
		if !slices.ContainsFunc(r.Tests, func(c TestCase) bool { return !compliant(c) }) {
			t.Errorf("%s: no test of non-compliant code", r.Name)
		}
	}
}
