package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/findings"
)

func analyzeCommand() *cli.Command {
	return &cli.Command{
		Name:      "analyze",
		Usage:     "run rules over files and print what they find",
		ArgsUsage: "DIR|FILE|TIER",
		Description: "Comments in the files turn rules off: no-dd-sa, or no-dd-sa:SET/RULE, counts\n" +
			"for the next line, on line 1 for the whole file.\n\n" +
			"Violations do not fail the command, unless they are of the severity that\n" +
			"--fail-on names (error, warning or notice) or of a graver one.",
		Flags: slices.Concat([]cli.Flag{
			runtimeOption(),
			targetingKeyOption(),
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORM` table, json, sarif, csv, markdown", DefaultText: "table"},
			outOption(),
			isolationOption(),
			&cli.StringFlag{Name: "fail-on", Value: "never", Usage: "least `SEVERITY` for exit code 6"},
		}, selectionOptions(), rulesOptions(), runOptions()),
		Action: analyzeAction,
	}
}

func analyzeAction(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("analyze takes one folder, file or tier; got %s", plural(c.NArg(), "argument"))
	}
	decision, err := decide(c)
	if err != nil {
		return err
	}
	if err := errors.Join(checkRunOptions(c), checkIsolation(c), oneOf(c, "format", findings.Names()),
		oneOf(c, "fail-on", []string{"error", "warning", "notice", "never"}), checkOut(c)); err != nil {
		return usage(err)
	}
	from, err := sourceFrom(c, c.Args().First())
	if err != nil {
		return usage(err)
	}
	load, err := from.open()
	if err != nil {
		return openError(c, err)
	}
	defer load.close()
	load.isolation = c.String("isolation")
	load.warn(c.App.ErrWriter)

	report := c.App.Writer
	if c.String("out") != "" {
		report = nil
	}
	a := &analysis{
		workload: load, decision: decision,
		limits: limits(c.Duration("rule-timeout")), workers: c.Int("workers"),
		progress: newFileProgress(c.App.ErrWriter, report, load.files.Len()),
	}
	if from.Shard != (shard{}) {
		a.part = c.String("shard")
	}
	a.shadow = a.newShadow()
	defer a.shadow.Close() // before load; a comparison that was cut short is not printed
	context.AfterFunc(c.Context, func() { _ = a.shadow.Close() })
	if err := write(c, func(w io.Writer) error {
		form, err := findings.New(c.String("format"), w)
		if err != nil {
			return err
		}
		return a.run(c.Context, form)
	}); err != nil {
		return err
	}
	if err := errors.Join(a.shadow.Drain(c.Context), c.Context.Err(), a.shadow.Close()); err != nil {
		return err
	}
	a.printShadow(c.App.ErrWriter)
	least := c.String("fail-on")
	if n := a.totals.AtLeast(least); n > 0 {
		return &exitError{exitViolations, fmt.Errorf("%s at or above --fail-on %s", plural(n, "violation"), least)}
	}
	return nil
}
