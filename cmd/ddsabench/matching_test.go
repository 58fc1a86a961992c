package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/corpus"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/syntax"
)

// One pass for all rules finds what one query per rule finds, and a rule whose
// query is far too broad changes nothing for the others.
func TestMatching(t *testing.T) {
	builtinRules, err := rules.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	// The code of the rules' own tests, each for itself and all in one.
	dir := t.TempDir()
	whole := map[string]string{}
	for i, r := range rules.All(builtinRules) {
		for _, test := range r.Tests {
			name := fmt.Sprintf("%d-%s", i, test.Filename)
			writeFile(t, dir, name, test.Code)
			whole["whole"+filepath.Ext(name)] += test.Code + "\n"
		}
	}
	for name, code := range whole {
		writeFile(t, dir, name, code)
	}
	sameFindings(t, source{Corpus: dir})
}

// The same on real files, where they are.
func TestMatchingSmallTier(t *testing.T) {
	long(t)
	s := source{Corpus: "small", Cache: fetched(t, "")}
	files, err := corpus.Open(s.Cache, s.Corpus)
	if errors.Is(err, corpus.ErrNotFetched) {
		t.Skip("the small tier is not fetched; run: ddsabench corpus fetch small")
	}
	if err != nil {
		t.Fatal(err)
	}
	files.Close()
	sameFindings(t, s)
}

func sameFindings(t *testing.T, s source) {
	s.Rules.Path = builtin
	patient, separate, hasty := syntax.DefaultOptions(), syntax.DefaultOptions(), syntax.DefaultOptions()
	patient.PassBudget = time.Minute
	separate.Separate = true
	hasty.PassBudget, hasty.PassBudgetPerKB = time.Millisecond, 0 // the sooner to give up

	want, fallbacks := foundIn(t, s, patient)
	if len(want) == 0 || fallbacks > 0 {
		t.Fatalf("%d pairs with findings; the shared pass was given up on %d files", len(want), fallbacks)
	}
	got, _ := foundIn(t, s, separate)
	compareFindings(t, "one query per rule", got, want)

	// The built-in rules and the broad ones.
	s.Rules.Path = filepath.Join(t.TempDir(), "rules")
	if err := os.CopyFS(s.Rules.Path, os.DirFS(filepath.Join("..", "..", "rules", "builtin"))); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"JAVASCRIPT", "TYPESCRIPT"} {
		writeFile(t, filepath.Join(s.Rules.Path, strings.ToLower(language)), "broad.yaml",
			ruleFile("broad", language, "(program (_) @a (_) @b (_) @c)", "function visit() {}"))
	}
	got, fallbacks = foundIn(t, s, hasty)
	if fallbacks == 0 {
		t.Error("the broad rule did not spoil the shared pass")
	}
	compareFindings(t, "with a broad rule", got, want)
}

// foundIn is what each rule but the broad ones says of each file, unless it is
// nothing, and on how many files the shared pass was given up.
func foundIn(t *testing.T, s source, parsing syntax.Options) (found map[string]string, fallbacks int) {
	t.Helper()
	load, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	defer load.close()
	load.parsing = parsing
	p := load.newParser()
	defer p.Close()
	executors := map[bool]executor.Executor{}
	for broad, limit := range map[bool]time.Duration{false: time.Minute, true: time.Millisecond} {
		ex, err := ddsabench.NewArm("ddsa", limits(limit))
		if err != nil {
			t.Fatal(err)
		}
		defer ex.Close()
		executors[broad] = ex
	}

	found = map[string]string{}
	for i := range load.files.Len() {
		file, err := p.file(i)
		if err != nil {
			t.Fatal(err)
		}
		if p.Cost().Fallback {
			fallbacks++
		}
		for _, rule := range load.rules.byLanguage[file.Language] {
			broad := strings.HasSuffix(rule.Name, "/broad")
			result, err := executors[broad].Execute(t.Context(), rule, file)
			if broad {
				continue // whatever came of it is right
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Violations) > 0 {
				text, err := json.Marshal(result.Violations)
				if err != nil {
					t.Fatal(err)
				}
				found[rule.Name+" "+file.Path] = string(text)
			}
		}
	}
	return found, fallbacks
}

// compareFindings tells the first differences.
func compareFindings(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	pairs := maps.Clone(want)
	maps.Copy(pairs, got)
	told := 0
	for _, pair := range slices.Sorted(maps.Keys(pairs)) {
		if got[pair] != want[pair] && told < 5 {
			told++
			t.Errorf("%s: %s\ngot  %s\nwant %s", what, pair, got[pair], want[pair])
		}
	}
}
