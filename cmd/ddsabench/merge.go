package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/findings"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/merge"
)

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "join what the shards of one corpus gave",
		ArgsUsage: "FILE...",
		Description: "The FILEs are those of all shards, I/N for each I from 1 to N, in any order:\n" +
			"either the reports of analyze --shard I/N --format json, which come to the\n" +
			"report of the whole, to the byte but for \"times\"; or the records of compare\n" +
			"--shard I/N with one --seed, which come to a record whose times are sums.\n" +
			"Files of other rules, files or settings are refused.",
		Flags:  []cli.Flag{outOption()},
		Action: mergeAction,
	}
}

func mergeAction(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("merge takes the files of all shards; got no argument")
	}
	if err := checkOut(c); err != nil {
		return err
	}
	var files []*os.File
	records := 0
	for _, path := range c.Args().Slice() {
		f, err := os.Open(path)
		if err != nil {
			return usage(err)
		}
		defer f.Close() // it was only read
		files = append(files, f)
		if is, err := isRecord(f); err != nil {
			return usage(err)
		} else if is {
			records++
		}
	}
	switch records {
	case 0:
		return mergeReports(c, files)
	case len(files):
		return mergeRecords(c)
	}
	return usagef("merge: some of the files are records of compare, and some are not")
}

// isRecord says whether a file starts as a record does.
func isRecord(f *os.File) (bool, error) {
	const start = `{"header":`
	head, err := bufio.NewReader(f).Peek(len(start))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return bytes.Equal(head, []byte(start)), nil
}

func mergeReports(c *cli.Context, files []*os.File) error {
	var shards []findings.Shard
	for _, f := range files {
		shards = append(shards, findings.Shard{Name: f.Name(), Report: f})
	}
	return write(c, func(w io.Writer) error {
		out := &output{w: w}
		err := findings.Merge(out, shards)
		if err != nil && out.err == nil {
			return usage(err) // all else that can be wrong is the files' fault
		}
		return err
	})
}

func mergeRecords(c *cli.Context) error {
	var records []*harness.Record
	for _, path := range c.Args().Slice() {
		r, err := readRecord(path)
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	whole, err := merge.Records(records)
	if bad := (*merge.Error)(nil); errors.As(err, &bad) {
		return usagef("merge: %s: %w", c.Args().Get(bad.Record), bad.Err)
	} else if err != nil {
		return usage(fmt.Errorf("merge: %w", err))
	}
	return write(c, func(w io.Writer) error { return harness.WriteRecord(w, whole) })
}
