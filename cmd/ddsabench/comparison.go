package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// comparison makes the options of a comparison and checks all input.
func comparison(c *cli.Context) (compare.Options, error) {
	var none compare.Options
	o := compare.Options{Header: harness.Header{
		Command: commandLine(c), Seed: c.Uint64("seed"), Rounds: c.Int("rounds"), Warmup: c.Int("warmup"),
		Workers: c.Int("workers"), RuleTimeout: c.Duration("rule-timeout"), Environment: measure.Environment(),
	}}
	h := &o.Header
	h.Environment.V8, h.Environment.Commit = ddsabench.V8Version(), commit
	if !c.IsSet("seed") {
		h.Seed = rand.Uint64()
	}
	var unknown error
	for arm := range strings.SplitSeq(c.String("arms"), ",") {
		h.Arms = append(h.Arms, strings.TrimSpace(arm))
		unknown = errors.Join(unknown, ddsabench.CheckArm(strings.TrimSpace(arm)))
	}
	if err := errors.Join(noArguments(c), checkRunOptions(c), unknown, checkOut(c)); err != nil {
		return none, usage(err)
	}
	if err := o.Check(); err != nil {
		return none, usage(err)
	}

	cache, err := cacheDir(c)
	if err != nil {
		return none, err
	}
	s := source{c.String("corpus"), cache, rulesFrom(c)}
	load, err := s.open()
	if err != nil {
		return none, openError(c, err)
	}
	defer load.close() // the children open it for themselves
	load.warn(c.App.ErrWriter)
	h.Corpus, h.Rules = load.input(published(s.Corpus)), load.rules.input(published(s.Rules.Path))
	if o.Setup, err = json.Marshal(s); err != nil {
		return none, err
	}
	return o, c.Context.Err()
}

// commandLine is the command for the record.
func commandLine(c *cli.Context) []string {
	line := []string{"ddsabench", c.Command.Name}
	for _, name := range c.LocalFlagNames() {
		value := fmt.Sprint(c.Value(name))
		switch name {
		case "corpus", "rules", "cache", "out", "record":
			value = published(value)
		}
		line = append(line, fmt.Sprintf("--%s=%s", name, value))
	}
	return line
}

// published is a path as a record may tell it to the world: its last part. The
// name of a tier, or of the program's own rules, has no other.
func published(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return filepath.Base(path)
}
