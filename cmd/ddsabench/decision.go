package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/flags"
)

func runtimeOption() cli.Flag {
	return &cli.StringFlag{Name: flags.Key, Usage: "`NAME`: legacy or ddsa", DefaultText: flags.Env + " or legacy"}
}

// decide evaluates the flag; a wrong value, used or not, is a usage error.
func decide(c *cli.Context) (flags.Decision, error) {
	d := flags.Evaluate(flags.Inputs{Option: c.String(flags.Key), Environment: os.Getenv(flags.Env)})
	if d.Err != nil {
		return d, usage(d.Err)
	}
	return d, nil
}

// checkRuntime has every command refuse a wrong value, whether it needs it or
// not.
func checkRuntime(c *cli.Context) error {
	_, err := decide(c)
	return err
}
