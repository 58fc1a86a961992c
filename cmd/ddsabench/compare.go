package main

import (
	"context"
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
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/measure"
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
			"differ the comparison is void.\n\n" +
			"The arms are " + strings.Join(ddsabench.Arms(), ", ") + ". Nobody watches " + ddsabench.None + ": it is a reference\n" +
			"for calibration only.",
		CustomHelpTemplate: cli.CommandHelpTemplate + "\nROWS OF THE REPORT:\n" + rows.String(),
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "corpus", Value: "small", Usage: "`CORPUS`: a tier, or any folder"},
			&cli.StringFlag{Name: "arms", Value: "legacy,ddsa", Usage: "`ARMS`, the baseline first"},
			&cli.IntFlag{Name: "rounds", Value: compare.DefaultRounds, Usage: "`N` counted samples of each arm"},
			&cli.IntFlag{Name: "warmup", Value: compare.DefaultWarmup, Usage: "`N` samples of each arm before, not counted"},
			&cli.Uint64Flag{Name: "seed", Usage: "`SEED` of the samples' order", DefaultText: "random"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: " + strings.Join(report.Names, ", ")},
			outOption(),
			&cli.StringFlag{Name: "record", Usage: "new `FILE` for the raw samples", DefaultText: "runs/TIME.jsonl"},
			cacheOption(),
		}, rulesOptions(), runOptions()),
		Action: compareAction,
	}
}

func compareAction(c *cli.Context) error {
	form, err := report.ByName(c.String("format"))
	if err != nil {
		return usage(err)
	}
	options, err := comparison(c)
	if err != nil {
		return err
	}
	// All input is checked before there is a file.
	path := c.String("record")
	if path == "" {
		path = filepath.Join("runs", time.Now().UTC().Format("20060102T150405.000Z")+".jsonl")
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
	record, err := compare.Run(c.Context, options, &measure.Runner{Command: childCommand}, harness.NewWriter(file))
	say.end()
	if err = errors.Join(err, file.Sync()); err != nil {
		return err
	}
	summary := compare.Summarize(record)
	err = write(c, func(w io.Writer) error { return form(w, summary) })
	fmt.Fprintf(c.App.ErrWriter, "raw samples: %s\n", path) // not lost with the report
	return errors.Join(err, verdict(summary))
}

// verdict gives the summary's outcome its exit code. The report has said it.
func verdict(s *compare.Summary) error {
	err := s.Err()
	switch {
	case errors.Is(err, compare.ErrFindingsDiffer):
		return &exitError{exitFindings, err}
	case errors.Is(err, compare.ErrInterrupted):
		return &exitError{exitInterrupted, context.Canceled}
	}
	return err
}
