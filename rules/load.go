package rules

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// Options change how Load judges.
type Options struct {
	// SkipBroken returns the good rules together with the faults.
	SkipBroken bool
	// BypassChecksum takes rules whose checksum is wrong or missing.
	BypassChecksum bool
}

// Load reads rules from a file or a folder. A file is YAML (one rule, one rule
// set with its rules below "rules", or a list of either) or JSON (an array of
// rule sets with base64 texts). A folder is a rule set, with a ruleset.yaml and
// one YAML file per rule, or holds such folders; links out of it are not
// followed.
//
// If anything is wrong the error is of type Faults and lists all of it, and the
// sets are nil unless Options.SkipBroken. Rules in languages that cannot be
// parsed are no fault: they are in Set.Skipped. Queries are not compiled.
func Load(name string, o Options) ([]Set, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	l := newLoader(o)
	defer l.close()
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		defer root.Close()
		l.base = name
		return l.result(l.folders(root.FS(), "."))
	}
	// The caller named this very file, so a link may lead anywhere.
	data, err := read(info, func() (fs.File, error) { return os.Open(name) })
	if err != nil {
		return nil, fmt.Errorf("rules: %s: %w", name, err)
	}
	return l.result(l.file(name, data))
}

// A loader gathers the faults and names of one load.
type loader struct {
	Options
	base   string // the folder that files are named below
	faults Faults
	names  map[string]string // full rule names and the files they stand in
	finder *visitFinder
}

func newLoader(o Options) *loader {
	return &loader{Options: o, names: map[string]string{}, finder: newVisitFinder()}
}

func (l *loader) close() { l.finder.close() }

func (l *loader) result(sets []Set) ([]Set, error) {
	slices.SortStableFunc(l.faults, func(a, b *Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	switch {
	case len(l.faults) == 0:
		return sets, nil
	case l.SkipBroken:
		return sets, l.faults
	}
	return nil, l.faults
}

func (l *loader) fault(file string, at *value, rule, format string, args ...any) {
	printable := func(r rune) rune { // the file's own text may be quoted in it
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}
	f := &Fault{File: file, Rule: rule, Problem: strings.Map(printable, fmt.Sprintf(format, args...))}
	if at != nil {
		f.Line, f.Column = at.line, at.column
	}
	l.faults = append(l.faults, f)
}

// folders loads dir as a rule set, or each folder in it as one.
func (l *loader) folders(fsys fs.FS, dir string) []Set {
	files, subfolders := l.list(fsys, dir)
	if len(files) > 0 {
		return l.folder(fsys, dir, files)
	}
	var sets []Set
	for _, sub := range subfolders {
		if files, _ := l.list(fsys, sub); len(files) > 0 {
			sets = append(sets, l.folder(fsys, sub, files)...)
		}
	}
	if len(sets) == 0 && len(l.faults) == 0 {
		l.fault(l.path(dir), nil, "", "no rules: want a ruleset.yaml and rule files here or in the folders below")
	}
	return sets
}

// folder loads the rule set in dir, whose YAML files are given. Its rules are
// judged even if what is said of the set is not sound.
func (l *loader) folder(fsys fs.FS, dir string, files []string) []Set {
	isHead := func(name string) bool { return strings.TrimSuffix(path.Base(name), path.Ext(name)) == "ruleset" }
	i := slices.IndexFunc(files, isHead)
	if i < 0 {
		l.fault(l.path(dir), nil, "", "no ruleset.yaml beside the rule files; one line does: name: NAME-OF-THE-SET")
		return nil
	}
	set, ok := &Set{}, false
	l.decode(fsys, files[i], func(d *decoder, v *value) {
		if d.want(v, object, "a rule set") {
			set, ok = d.head(v)
		}
	})
	rules := slices.Delete(files, i, i+1)
	if len(rules) == 0 {
		l.fault(l.path(dir), nil, "", "no rule files beside ruleset.yaml")
	}
	for _, name := range rules {
		l.decode(fsys, name, func(d *decoder, v *value) { d.rule(v, set) })
	}
	if !ok || set.empty() {
		return nil
	}
	return []Set{*set}
}

// list returns the YAML files and the folders in dir, hidden ones left out.
func (l *loader) list(fsys fs.FS, dir string) (files, folders []string) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		l.fault(l.path(dir), nil, "", "%v", bare(err))
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch ext := strings.ToLower(path.Ext(name)); {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			folders = append(folders, name)
		case ext == ".yaml" || ext == ".yml":
			files = append(files, name)
		}
	}
	return files, folders
}

// decode reads a YAML file of a folder and hands it to use, unless it has to
// report that it cannot be read.
func (l *loader) decode(fsys fs.FS, name string, use func(*decoder, *value)) {
	file := l.path(name)
	info, err := fs.Stat(fsys, name)
	var data []byte
	if err == nil {
		data, err = read(info, func() (fs.File, error) { return fsys.Open(name) })
	}
	if err != nil {
		l.fault(file, nil, "", "cannot be read: %v", bare(err))
		return
	}
	if v := l.tree(file, data, parseYAML); v != nil {
		use(&decoder{loader: l, file: file}, v)
	}
}

func (l *loader) path(name string) string {
	return filepath.Join(l.base, filepath.FromSlash(name))
}

// bare is err without the path, which the fault has.
func bare(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
