package ddsabench_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ddsabench/ddsabench"

// mayImport says which rooms of ours a room may import, itself and what is
// below it apart. A room that is not listed may import any that the other
// tests allow. "x/..." is x and what is below it.
var mayImport = map[string][]string{
	"executor":                      {},
	"flags":                         {},
	"flags/openfeature":             {"flags"},
	"shadow":                        {"executor"},
	"executor/executortest/hostile": {"executor", "syntax"},
	"executor/worker":               {"executor"},
	"internal/osthread":             {"internal/watch"},
	"internal/watch":                {},
	"internal/v8":                   {},
	"internal/jsrt":                 {"executor", "internal/..."},
	"legacy":                        {"executor", "internal/..."},
	"ddsa":                          {"executor", "internal/..."},
	"syntax":                        {"executor"},
	"rules":                         {"executor", "syntax"},
	"suppress":                      {"executor"},
	"findings":                      {"executor", "rules"},
	"serve":                         {"executor", "flags", "shadow", "suppress", "syntax"},
	"bench":                         {},
	"harness/stats":                 {},
	"harness/count":                 {"harness"},
	"harness/corpus":                {"executor"},
	"harness/merge":                 {"harness", "harness/measure"},
	"harness/kept":                  {"executor", "harness", "harness/report", "harness/stats"},
}

// onlyFrom says which rooms may import a room directly, and neverBelow which
// may not reach one even by way of others.
var (
	onlyFrom = map[string][]string{
		"legacy":      {".", "cmd/..."},
		"ddsa":        {".", "cmd/..."},
		"internal/v8": {"internal/jsrt", "legacy", "ddsa", ".", "cmd/..."},
	}
	neverBelow = map[string]string{"harness/...": "internal/v8"}
	cgo        = []string{"internal/v8", "internal/osthread", "syntax"}
)

type goPackage struct {
	ImportPath              string
	Imports, Deps, CgoFiles []string
}

// room is the package's folder, "." for the root, "" if it is not ours.
func room(importPath string) string {
	if importPath == module {
		return "."
	}
	name, ours := strings.CutPrefix(importPath, module+"/")
	if !ours {
		return ""
	}
	return name
}

func matches(patterns []string, room string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		parent, deep := strings.CutSuffix(p, "/...")
		return room == parent || deep && strings.HasPrefix(room, parent+"/")
	})
}

// packages returns all packages of the module, without their tests.
func packages(t *testing.T) []goPackage {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,Deps,CgoFiles", "./...")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportDirections(t *testing.T) {
	for _, p := range packages(t) {
		from := room(p.ImportPath)
		if len(p.CgoFiles) > 0 && !slices.Contains(cgo, from) {
			t.Errorf("%s uses cgo; only %s may", from, strings.Join(cgo, ", "))
		}
		for _, imported := range p.Imports {
			to := room(imported)
			if to == "" || to == from || strings.HasPrefix(to, from+"/") {
				continue
			}
			if allowed, listed := mayImport[from]; listed && !matches(allowed, to) {
				t.Errorf("%s imports %s; of our rooms it may import %q only", from, to, allowed)
			}
			if allowed, listed := onlyFrom[to]; listed && !matches(allowed, from) {
				t.Errorf("%s imports %s; only %q may", from, to, allowed)
			}
		}
		for above, below := range neverBelow {
			if matches([]string{above}, from) && slices.Contains(p.Deps, module+"/"+below) {
				t.Errorf("%s depends on %s; it gets what it needs by injection", from, below)
			}
		}
	}
}

// A file is one concept: none is longer than 300 lines.
func TestFileLengths(t *testing.T) {
	const limit = 300
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			fetched := slices.Contains([]string{"bin", "dist", "runs", "testdata"}, name)
			if path != "." && (fetched || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".cc", ".c", ".h", ".js"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if lines := bytes.Count(text, []byte("\n")); lines > limit {
			t.Errorf("%s has %d lines; split it, %d is the limit", path, lines, limit)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
