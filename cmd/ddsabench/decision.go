package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/flags"
)

func runtimeOption() cli.Flag {
	return &cli.StringFlag{Name: flags.Key, Usage: "`WHO` answers: legacy, ddsa, N%, shadow or live"}
}

func targetingKeyOption() cli.Flag {
	return &cli.StringFlag{Name: "targeting-key", Usage: "`KEY` that N% goes by", DefaultText: "the path analyzed"}
}

// flagConfig is what the command's option and the environment say.
func flagConfig(c *cli.Context) flags.Config {
	config := flags.FromEnvironment()
	config.Option = c.String(flags.Key)
	return config
}

// openFlag is for commands that decide again and again. Something wrong at the
// start is a usage error, unless the kill switch is on: that works however wrong
// the rest is, and is on if its own text is wrong. onChange may be nil.
func openFlag(c *cli.Context, onChange func(flags.Status)) (*flags.Evaluator, error) {
	config := flagConfig(c)
	config.OnChange = onChange
	evaluator := flags.New(config)
	if s := evaluator.Status(); s.Err != nil && s.Kill == "" {
		_ = evaluator.Close() // cannot fail
		return nil, usage(s.Err)
	}
	return evaluator, nil
}

// decide is for commands that decide once.
func decide(c *cli.Context) (flags.Decision, error) {
	evaluator, err := openFlag(c, nil)
	if err != nil {
		return flags.Decision{}, err
	}
	defer evaluator.Close() // cannot fail
	d, s := evaluator.Evaluate(targetingKey(c)), evaluator.Status()
	switch {
	case s.Kill != "" && s.Err != nil:
		tell(c.App.ErrWriter, fmt.Errorf("warning: the kill switch is on; %w", s.Err))
	case d.Err != nil:
		return d, usage(d.Err)
	}
	return d, nil
}

// targetingKey is the option, or else the full path of the command's argument
// or rules: the same folder is on the same side wherever it is named from.
func targetingKey(c *cli.Context) string {
	if key := c.String("targeting-key"); key != "" {
		return key
	}
	name := c.Args().First()
	if name == "" {
		name = c.String("rules")
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return path
}

// checkRuntime has every command refuse a wrong value, whether it needs it or
// not, unless the kill switch is on.
func checkRuntime(c *cli.Context) error {
	evaluator, err := openFlag(c, nil)
	if err != nil {
		return err
	}
	return evaluator.Close()
}
