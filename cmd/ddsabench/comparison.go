package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// comparisonOptions are those that compare and calibrate have in common.
func comparisonOptions() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "corpus", Value: "small", Usage: "`CORPUS`: a tier, or any folder"},
		&cli.IntFlag{Name: "rounds", Value: compare.DefaultRounds, Usage: "`N` counted samples of each arm"},
		&cli.IntFlag{Name: "warmup", Value: compare.DefaultWarmup, Usage: "`N` samples of each arm before, not counted"},
		&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of the samples' order", DefaultText: "random"},
		&cli.DurationFlag{Name: "sample-limit", Value: measure.DefaultLimit, Usage: "`TIME` that one sample may take"},
		&cli.StringFlag{Name: "min-effect", Value: "1%", Usage: "`SHARE` that is the least to matter"},
		pinOption(),
		outOption(),
	}, selectionOptions())
}

// comparison makes the options of a comparison of arms, with the source of its
// files and rules, and checks all input. The arms' own fault, and that of other
// options, is told with the rest.
func comparison(c *cli.Context, arms []string, fault error) (compare.Options, source, error) {
	var none compare.Options
	cores, pinFault := pinned(c)
	effect, effectFault := minEffect(c)
	o := compare.Options{Header: harness.Header{
		Command: commandLine(c), Seed: c.Uint64("seed"), Arms: arms, Rounds: c.Int("rounds"), Warmup: c.Int("warmup"),
		MinEffect: effect, Workers: c.Int("workers"), Pinned: cores, RuleTimeout: c.Duration("rule-timeout"),
		Environment: measure.Environment(),
	}}
	h := &o.Header
	h.Environment.V8, h.Environment.Commit = ddsabench.V8Version(), commit
	if !c.IsSet("seed") {
		h.Seed = rand.Uint64()
	}
	if err := errors.Join(noArguments(c), checkRunOptions(c), fault, pinFault, effectFault, sampleLimit(c), confine(c, h), checkOut(c)); err != nil {
		return none, source{}, usage(err)
	}
	if err := o.Check(); err != nil {
		return none, source{}, usage(err)
	}

	s, err := sourceFrom(c, c.String("corpus"))
	if err != nil {
		return none, source{}, usage(err)
	}
	load, err := s.open()
	if err != nil {
		return none, s, openError(c, err)
	}
	defer load.close() // the children open it for themselves
	load.warn(c.App.ErrWriter)
	h.Corpus, h.Rules = load.input(s.name()), load.rules.input(published(s.Rules.Path))
	h.Shard = load.shard(s)
	if o.Setup, err = json.Marshal(s); err != nil {
		return none, s, err
	}
	return o, s, c.Context.Err()
}

// sampleLimit checks --sample-limit.
func sampleLimit(c *cli.Context) error {
	if limit := c.Duration("sample-limit"); limit <= 0 {
		return usagef("--sample-limit %v: time is needed", limit)
	}
	return nil
}

// runner starts a comparison's children.
func runner(c *cli.Context, cores []int) measure.Runner {
	return measure.Runner{Command: childCommand, Pin: cores, Limit: c.Duration("sample-limit")}
}

// confine fits the workers to the cores of pinned children. More workers than
// cores would measure how they wait for each other.
func confine(c *cli.Context, h *harness.Header) error {
	cores := len(h.Pinned)
	switch {
	case cores == 0:
	case !c.IsSet("workers"):
		h.Workers = min(h.Workers, cores)
	case h.Workers > cores:
		return usagef("--workers %d: more than the %s of --pin", h.Workers, plural(cores, "core"))
	}
	if cores > 0 && os.Getenv("GOMAXPROCS") == "" {
		h.Environment.MaxProcs = min(h.Environment.MaxProcs, cores) // as the children find it
	}
	return nil
}

// minEffect reads --min-effect: a share, or per cent with the sign.
func minEffect(c *cli.Context) (float64, error) {
	text := strings.TrimSpace(c.String("min-effect"))
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share < 1) { // so that NaN is refused
		return 0, usagef("--min-effect %q is no share from 0 to below 100%%; write 1%% or 0.01", text)
	}
	return share, nil
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
