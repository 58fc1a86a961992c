package ddsabench_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/compat.md counts its rows right, and names tests that exist: each rule
// of the conformance set and each outcome at least once.
func TestCompatibilityPage(t *testing.T) {
	page, err := os.ReadFile("docs/compat.md")
	if err != nil {
		t.Fatal(err)
	}
	verdicts, named := map[string]int{}, map[string]bool{}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "| What" {
			continue
		}
		if len(cells) < 3 || len(cells) > 4 {
			t.Errorf("%d cells in %s", len(cells), line)
			continue
		}
		rows++
		verdicts[cells[1]]++
		tests := regexp.MustCompile("`[^`]+`").FindAllString(cells[len(cells)-1], -1)
		if len(tests) == 0 && cells[1] != "not done" {
			t.Errorf("no test: %s", line)
		}
		for _, name := range tests {
			name = strings.Trim(name, "`")
			named[name] = true
			if !testExists(t, name) && cells[1] != "not done" {
				t.Errorf("no test is called %q", name)
			}
		}
	}
	totals := fmt.Sprintf("**%d rows: %d the same, %d different on purpose, %d not done.**",
		rows, verdicts["same"], verdicts["different"], verdicts["not done"])
	if !strings.Contains(string(page), totals) {
		t.Errorf("the page does not say %s (%v)", totals, verdicts)
	}

	files, err := filepath.Glob(filepath.Join(conformanceDir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := "conformance/" + strings.TrimSuffix(filepath.Base(file), ".yaml")
		if name != "conformance/ruleset" && !named[name] {
			t.Errorf("%s is not on the page", name)
		}
	}
	for _, c := range outcomes {
		if !named["outcomes/"+c.name] {
			t.Errorf("outcomes/%s is not on the page", c.name)
		}
	}
}

// testExists looks for a test by one of the names that the page explains.
func testExists(t *testing.T, name string) bool {
	t.Helper()
	kind, rest, _ := strings.Cut(name, "/")
	switch kind {
	case "conformance":
		_, err := os.Stat(filepath.Join(conformanceDir, rest+".yaml"))
		return err == nil
	case "outcomes":
		for _, c := range outcomes {
			if c.name == rest {
				return true
			}
		}
		return false
	case "executors":
		return contains(t, "executor/executortest/suite.go", `{"`+rest+`", `)
	}
	folder, test := strings.TrimSuffix(name, path.Ext(name)), strings.TrimPrefix(path.Ext(name), ".")
	if folder == "ddsabench" {
		folder = "."
	}
	return contains(t, filepath.Join(folder, "*_test.go"), "func "+test+"(")
}

func contains(t *testing.T, glob, text string) bool {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), text) {
			return true
		}
	}
	return false
}
