package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/syntax"
)

// builtin is the name of the program's own rules.
const builtin = "builtin"

// A rulesSource says where rules come from.
type rulesSource struct {
	Path           string `json:"path"`
	SkipBroken     bool   `json:"skip_broken,omitempty"`
	BypassChecksum bool   `json:"bypass_checksum,omitempty"`
}

// A ruleBook is loaded rules with their compiled queries.
type ruleBook struct {
	sets       []rules.Set
	byLanguage map[executor.Language][]*executor.Rule
	queries    *syntax.Set
	broken     error // what was skipped
}

// load loads and compiles rules. Any fault is a usage error that lists all of
// them, unless broken rules are to be skipped and others are left.
func (s rulesSource) load() (*ruleBook, error) {
	b := &ruleBook{byLanguage: map[executor.Language][]*executor.Rule{}}
	if s.Path == builtin {
		b.sets, b.broken = rules.Builtin()
	} else {
		// The faults of queries are wanted, too, if others have been found.
		b.sets, b.broken = rules.Load(s.Path, rules.Options{SkipBroken: true, BypassChecksum: s.BypassChecksum})
	}
	if err := b.compile(); err != nil {
		return nil, err
	}
	all := b.all()
	if b.broken != nil && (!s.SkipBroken || len(all) == 0) {
		b.close()
		return nil, usage(b.broken)
	}
	for _, r := range all {
		b.byLanguage[r.Language] = append(b.byLanguage[r.Language], r)
	}
	return b, nil
}

// compile compiles the queries. Rules with a broken one become broken rules.
func (b *ruleBook) compile() error {
	var err error
	b.queries, err = syntax.Compile(b.all())
	var broken syntax.QueryErrors
	if !errors.As(err, &broken) {
		return err
	}
	sound := map[*executor.Rule]*rules.Rule{}
	for _, r := range rules.All(b.sets) {
		sound[&r.Rule] = r
	}
	for _, e := range broken {
		problem := fmt.Sprintf("query, line %d, column %d (offset %d): %s", e.Line, e.Column, e.Offset, e.Kind)
		if e.Detail != "" {
			problem += ": " + e.Detail
		}
		b.broken = errors.Join(b.broken, sound[e.Rule].Fault(problem))
		delete(sound, e.Rule)
	}
	b.sets = rules.Filter(b.sets, func(r *rules.Rule) bool { return sound[&r.Rule] != nil })
	b.queries, err = syntax.Compile(b.all())
	return err
}

// close frees the queries, when no parser is open any more.
func (b *ruleBook) close() { _ = b.queries.Close() }

// all are the rules that can run.
func (b *ruleBook) all() []*executor.Rule {
	var all []*executor.Rule
	for _, r := range rules.All(b.sets) {
		all = append(all, &r.Rule)
	}
	return all
}

// warn says what is left out.
func (b *ruleBook) warn(w io.Writer) {
	if b.broken != nil {
		fmt.Fprintf(w, "broken rules are skipped:\n%v\n", b.broken)
	}
	for _, s := range b.sets {
		for _, skipped := range s.Skipped {
			fmt.Fprintf(w, "%s: rule %s is skipped: %s\n", skipped.File, skipped.Rule, skipped.Reason)
		}
	}
	for _, text := range b.queries.Warnings() {
		fmt.Fprintln(w, plain(text))
	}
}

// input describes the rules for a record.
func (b *ruleBook) input(name string) harness.Input {
	counts := map[executor.Language]int{}
	for language, list := range b.byLanguage {
		counts[language] = len(list)
	}
	return harness.Input{Name: name, Digest: rules.Digest(b.all()), Counts: counts}
}
