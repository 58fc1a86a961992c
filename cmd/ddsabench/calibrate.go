package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/calibrate"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
)

func calibrateCommand() *cli.Command {
	return &cli.Command{
		Name:  "calibrate",
		Usage: "measure how far comparisons here can be trusted",
		Description: "An arm is compared with itself, and then with itself and a known delay, for\n" +
			"as long as the budget lasts: how often is there a difference where there is\n" +
			"none, and how small a delay is found? The budget has to be about three times\n" +
			"as long as a comparison of so many --rounds takes, and seven times for the\n" +
			"delay to be confirmed; if it is too small for the first, that is said after\n" +
			"the first round, with the least that would do.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "arm", Value: "ddsa", Usage: "`ARM`, without modifiers"},
			&cli.DurationFlag{Name: "budget", Value: calibrate.DefaultBudget, Usage: "`TIME` for all of it"},
		}, comparisonOptions(), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"},
			&cli.StringFlag{Name: "record", Usage: "new `FOLDER` for the raw samples", DefaultText: "below runs/"},
		}, rulesOptions(), runOptions()),
		Action: calibrateAction,
	}
}

func calibrateAction(c *cli.Context) error {
	arms, fault := parseArms(c.String("arm"))
	if len(arms) != 1 {
		fault = errors.Join(fault, usagef("--arm %q: calibrate takes one", c.String("arm")))
	}
	if fault == nil {
		arms, fault = withItself(arms[0])
	}
	o := calibrate.Options{Budget: c.Duration("budget")}
	if o.Budget <= 0 {
		fault = errors.Join(fault, usagef("--budget %v: time is needed", o.Budget))
	}
	var err error
	o.Options, _, err = comparison(c, arms, errors.Join(fault, oneOf(c, "format", []string{"table", "json"})))
	if err != nil {
		return err
	}
	if o.Arm, err = arm.Parse(arms[0]); err != nil {
		return usage(err)
	}
	if err := o.Check(); err != nil {
		return usage(err)
	}

	folder := c.String("record")
	if folder == "" {
		folder = filepath.Join("runs", "calibrate-"+timestamp())
	}
	result, err := calibrated(c, o, folder)
	if result == nil {
		return calibrationError(err)
	}
	return errors.Join(err, printReport(c, func(w io.Writer) error {
		if c.String("format") == "table" {
			return report.Calibration(w, result)
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	}))
}

// calibrated calibrates, tells how far it is, and keeps the raw samples in the
// folder.
func calibrated(c *cli.Context, o calibrate.Options, folder string) (*calibrate.Result, error) {
	var files []*os.File
	o.Record = func(phase string) (*harness.Writer, error) {
		f, err := harness.Create(filepath.Join(folder, phase+".jsonl"))
		if err != nil {
			return nil, usage(err)
		}
		files = append(files, f)
		return harness.NewWriter(f), nil
	}
	say := newProgress(c.App.ErrWriter)
	var start time.Time
	var share time.Duration
	o.Phase = func(arms []string, budget time.Duration) {
		say.end()
		start, share = time.Now(), budget
		fmt.Fprintf(c.App.ErrWriter, "comparing %s for %v\n", strings.Join(arms, " and "), budget.Round(time.Second))
	}
	o.Progress = func(p compare.Progress) { say.within(p, time.Since(start), share) }
	runner := runner(c, o.Header.Pinned)
	result, err := calibrate.Run(c.Context, o, &runner)
	say.end()
	for _, f := range files {
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if len(files) > 0 {
		fmt.Fprintf(c.App.ErrWriter, "raw samples: %s\n", folder)
	}
	return result, err
}

// calibrationError gives the error of a calibration its exit code.
func calibrationError(err error) error {
	var short *calibrate.BudgetError
	switch {
	case errors.Is(err, compare.ErrFindingsDiffer):
		return &exitError{exitFindings, err}
	case errors.As(err, &short):
		return usage(err)
	}
	return err
}
