package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare two records, such as those of two releases",
		ArgsUsage: "OLD NEW",
		Description: "Each arm that both records have is compared with itself, old with new, with a\n" +
			"report of its own. The records must be of the same files, rules, settings and\n" +
			"machine." + formats(report.Names),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the report, see above"},
			outOption(),
			failOnOption(),
		},
		Action: diffAction,
	}
}

func diffAction(c *cli.Context) error {
	form, err := report.ByName(c.String("format"))
	if err := errors.Join(err, checkFailOn(c), checkOut(c)); err != nil {
		return usage(err)
	}
	if c.NArg() != 2 {
		return usagef("diff takes an old and a new record; got %s", plural(c.NArg(), "argument"))
	}
	older, err := readRecord(c.Args().Get(0))
	newer, err2 := readRecord(c.Args().Get(1))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	summaries, err := compare.Diff(older, newer)
	if err != nil {
		return usage(err) // records that cannot be compared
	}
	if err := printReport(c, func(w io.Writer) error {
		for i, s := range summaries {
			if i > 0 {
				if _, err := fmt.Fprintln(w); err != nil {
					return err
				}
			}
			if err := form(w, s); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return pastOutcome(failOn(c), summaries...)
}
