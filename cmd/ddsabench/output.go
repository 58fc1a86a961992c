package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/findings"
	"github.com/ddsabench/ddsabench/harness"
)

// An output is standard output that keeps its first error, for callers whose
// libraries do not return it.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

func outOption() cli.Flag {
	return &cli.StringFlag{Name: "out", Usage: "write the report to `FILE`, whole or not at all"}
}

// checkOut refuses an --out that cannot be written, before hours of work.
func checkOut(c *cli.Context) error {
	out := c.String("out")
	if out == "" {
		return nil
	}
	real, err := harness.FollowLinks(out)
	if err != nil {
		return usagef("--out %w", err)
	}
	// The dot makes a file in the folder's place an error.
	if err := unix.Access(filepath.Dir(real)+"/.", unix.W_OK); err != nil {
		return usagef("--out %s: its folder cannot be written to: %w", out, err)
	}
	// A device would be replaced by a file.
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return usagef("--out %s is there and no regular file", out)
	}
	return nil
}

// write hands form the writer for the report: standard output, or --out.
func write(c *cli.Context, form func(io.Writer) error) error {
	if out := c.String("out"); out != "" {
		return harness.WriteFile(out, form)
	}
	return form(c.App.Writer)
}

// plain is text as it is or, if it could confuse a terminal, quoted. Names of
// files and messages of rules are not ours.
func plain(text string) string { return findings.Plain(text) }

// plural is "1 file" or "2 files".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
