package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

func compareCommand() *cli.Command {
	var rows strings.Builder
	_ = report.Explain(&rows) // a strings.Builder does not fail
	return &cli.Command{
		Name:  "compare",
		Usage: "measure the executors against each other",
		Description: "Each sample is a fresh process that runs all rules over all files with one\n" +
			"executor. The arms take turns in balanced, shuffled order. If their findings\n" +
			"differ the comparison is void. Comments in files that turn rules off for\n" +
			"analyze are not applied: every arm runs every rule.\n\n" +
			"An arm is " + arm.Syntax + ".\n" +
			"Names are " + strings.Join(ddsabench.Arms(), ", ") + "; nobody watches " + ddsabench.None + ", it is a reference for\n" +
			"calibration only. +process has each executor in a process of its own, whose\n" +
			"memory and time count. +separate runs one query per rule, instead of all in\n" +
			"one pass over a file. +delay lets each execution last longer, as a known\n" +
			"difference. While a child of +unsampled works nobody looks at it, so that\n" +
			"the cost of looking shows. +again changes nothing.\n\n" +
			"The counted pass comes last: one more process of each arm, traced, for the\n" +
			"number of threads, system calls and mappings, and one without files to\n" +
			"compare it with. It needs root, or CAP_BPF and CAP_PERFMON (see doctor), and\n" +
			"--count auto leaves it out without. Where the C library reuses the stacks of\n" +
			"ended threads, --stack-cache off shows what others do." +
			formats(report.RecordNames),
		CustomHelpTemplate: cli.CommandHelpTemplate + "\nROWS OF THE REPORT:\n" + rows.String(),
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "arms", Value: "legacy,ddsa", Usage: "`ARMS`, the baseline first"},
			&cli.BoolFlag{Name: "aa", Usage: "compare one arm with itself: a control", DisableDefaultText: true},
		}, comparisonOptions(), countOptions(), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the report, see above"},
			&cli.StringFlag{Name: "record", Usage: "new `FILE` for the raw samples", DefaultText: "runs/TIME.jsonl"},
			failOnOption(),
		}, rulesOptions(), runOptions()),
		Action: compareAction,
	}
}

func compareAction(c *cli.Context) error {
	form, err := report.RecordByName(c.String("format"))
	if err != nil {
		return usage(err)
	}
	arms, fault := parseArms(c.String("arms"))
	if fault == nil && c.Bool("aa") {
		if c.IsSet("arms") && len(arms) > 1 {
			fault = usagef("--aa compares one arm with itself; name one with --arms, not %d", len(arms))
		}
		if fault == nil {
			arms, fault = withItself(arms[0])
		}
	}
	options, source, err := comparison(c, arms, errors.Join(fault, checkFailOn(c), checkCount(c)))
	if err != nil {
		return err
	}
	runner := runner(c, options.Header.Pinned)
	if err := setCounting(c, &options, source, runner); err != nil {
		return err
	}
	// All input is checked before there is a file.
	path := c.String("record")
	if path == "" {
		path = filepath.Join("runs", timestamp()+".jsonl")
	}
	file, err := harness.Create(path)
	if err != nil {
		return usage(err)
	}
	defer file.Close() // Sync has said whether all is written

	header := options.Header
	fmt.Fprintf(c.App.ErrWriter, "comparing %s on %s, seed %d\n",
		strings.Join(header.Arms, " and "), plain(header.Corpus.Name), header.Seed)
	say := newProgress(c.App.ErrWriter)
	options.Progress = say.sample
	record, err := compare.Run(c.Context, options, &runner, harness.NewWriter(file))
	say.end()
	if err = errors.Join(err, file.Sync()); err != nil {
		return err
	}
	err = printReport(c, func(w io.Writer) error { return form(w, record) })
	fmt.Fprintf(c.App.ErrWriter, "raw samples: %s\n", path) // not lost with the report
	summary := compare.Summarize(record)
	return errors.Join(err, outcome(summary, failOn(c)), mustCount(c, summary))
}

// formats says in a command's description which there are.
func formats(names []string) string {
	return "\n\nFormats are " + strings.Join(names, ", ") + "."
}

// timestamp names files so that they sort by time.
func timestamp() string { return time.Now().UTC().Format("20060102T150405.000Z") }
