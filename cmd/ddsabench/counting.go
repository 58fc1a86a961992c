package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/count"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// The options of the counted pass.

func countOptions() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "count", Value: "auto", Usage: "`MODE` of counted pass: auto, on, off"},
		&cli.StringFlag{Name: "stack-cache", Value: "on", Usage: "`SWITCH` for the counted pass: on, off"},
	}
}

func checkCount(c *cli.Context) error {
	err := errors.Join(oneOf(c, "count", []string{"auto", "on", "off"}), oneOf(c, "stack-cache", []string{"on", "off"}))
	if err == nil && c.String("count") == "off" && c.IsSet("stack-cache") {
		return usagef("--stack-cache is about the counted pass, and --count is off")
	}
	return err
}

// setCounting adds the counted pass to a comparison whose children runner
// starts, if it is asked for and permitted.
func setCounting(c *cli.Context, o *compare.Options, s source, runner measure.Runner) error {
	if c.String("count") == "off" {
		return nil
	}
	if why := countable(); why != nil {
		if c.String("count") == "on" {
			return usagef("--count on: %w", why)
		}
		o.Header.Uncounted = why.Error()
		fmt.Fprintf(c.App.ErrWriter, "no counted pass: %v\n", why)
		return nil
	}
	if c.String("stack-cache") == "off" {
		runner.Env = count.WithoutStackCache(os.Environ())
	}
	o.Counting = &counter{source: s, runner: runner}
	return nil
}

// countable returns nil if there is anything to count here but page faults,
// which all samples have, and otherwise why not.
func countable() error {
	found, err := count.Available()
	if err != nil {
		return err
	}
	var refused []error
	for _, f := range found {
		switch {
		case f.Name == string(harness.Proc):
		case f.Err == nil:
			return nil
		default:
			refused = append(refused, f.Err)
		}
	}
	return errors.Join(refused...)
}

// mustCount returns an error if the counted pass was asked for and an arm of it
// gave no figures. The report says why.
func mustCount(c *cli.Context, s *compare.Summary) error {
	for _, arm := range s.Counted {
		if arm.Void != nil && c.String("count") == "on" {
			return fmt.Errorf("--count on: %s was not counted", arm.Arm)
		}
	}
	return nil
}
