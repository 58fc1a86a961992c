package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"
)

func analyzeCommand() *cli.Command {
	return &cli.Command{
		Name:      "analyze",
		Usage:     "run rules over files and print what they find",
		ArgsUsage: "DIR|TIER",
		Description: "Comments in the files turn rules off: no-dd-sa, or no-dd-sa:SET/RULE, counts\n" +
			"for the next line, on line 1 for the whole file.\n\n" +
			"Violations do not fail the command, unless they are of the severity that\n" +
			"--fail-on names (error, warning or notice) or of a graver one.",
		Flags: slices.Concat([]cli.Flag{
			runtimeOption(),
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"},
			outOption(),
			&cli.StringFlag{Name: "fail-on", Value: "never", Usage: "least `SEVERITY` for exit code 6"},
			cacheOption(),
			gitignoredOption(),
		}, rulesOptions(), runOptions()),
		Action: analyzeAction,
	}
}

func analyzeAction(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("analyze takes one folder or tier; got %s", plural(c.NArg(), "argument"))
	}
	decision, err := decide(c)
	if err != nil {
		return err
	}
	if err := errors.Join(checkRunOptions(c), oneOf(c, "format", []string{"table", "json"}),
		oneOf(c, "fail-on", []string{"error", "warning", "notice", "never"}), checkOut(c)); err != nil {
		return usage(err)
	}
	cache, err := cacheDir(c)
	if err != nil {
		return err
	}
	load, err := source{
		Corpus: c.Args().First(), Cache: cache, Rules: rulesFrom(c), Gitignored: c.Bool("gitignored"),
	}.open()
	if err != nil {
		return openError(c, err)
	}
	defer load.close()
	load.warn(c.App.ErrWriter)

	a := &analysis{
		workload: load, decision: decision,
		limits: limits(c.Duration("rule-timeout")), workers: c.Int("workers"),
	}
	if err := write(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return a.run(c.Context, newJSONReport(w))
		}
		return a.run(c.Context, newTextReport(w))
	}); err != nil {
		return err
	}
	least := c.String("fail-on")
	if n := a.totals.atLeast(least); n > 0 {
		return &exitError{exitViolations, fmt.Errorf("%s at or above --fail-on %s", plural(n, "violation"), least)}
	}
	return nil
}
