package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "judge and print records of comparisons again",
		ArgsUsage: "FILE...",
		Description: "A FILE is what compare wrote as its raw samples. What can be read of a record\n" +
			"that was cut off is printed, and the exit code is 2." +
			formats(report.RecordNames),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the report, see above"},
			outOption(),
			failOnOption(),
		},
		Action: reportAction,
	}
}

// single are the formats in which a file holds one record.
var single = []string{"json", "csv", "html", "record"}

func reportAction(c *cli.Context) error {
	name := c.String("format")
	form, err := report.RecordByName(name)
	if err := errors.Join(err, checkFailOn(c), checkOut(c)); err != nil {
		return usage(err)
	}
	switch n := c.NArg(); {
	case n == 0:
		return usagef("report takes the records of comparisons; got no argument")
	case n > 1 && slices.Contains(single, name):
		return usagef("--format %s takes one record; got %d", name, n)
	}
	var records []*harness.Record
	var summaries []*compare.Summary
	var cut error
	for _, path := range c.Args().Slice() {
		r, err := readRecord(path)
		if off := (*harness.CutOffError)(nil); errors.As(err, &off) {
			r, cut = off.Record, errors.Join(cut, err)
		} else if err != nil {
			return err
		}
		records, summaries = append(records, r), append(summaries, compare.Summarize(r))
	}
	if err := printReport(c, func(w io.Writer) error {
		for i, r := range records {
			if i > 0 {
				if _, err := fmt.Fprintln(w); err != nil {
					return err
				}
			}
			if err := form(w, r); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if cut != nil {
		return cut
	}
	return pastOutcome(failOn(c), summaries...)
}

// printReport is write for a report of work that is done. A reader that has seen
// enough and closed the pipe does not change what came of it.
func printReport(c *cli.Context, form func(io.Writer) error) error {
	err := write(c, form)
	if c.String("out") == "" && errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// readRecord reads a record. Whatever is wrong with it is the user's to mend.
func readRecord(path string) (*harness.Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usage(err)
	}
	defer f.Close() // it was only read
	r, err := harness.Read(f)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	return r, nil
}
