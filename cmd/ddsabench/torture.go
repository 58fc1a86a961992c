package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
	"github.com/ddsabench/ddsabench/legacy"
)

func tortureCommand() *cli.Command {
	return &cli.Command{
		Name:  "torture",
		Usage: "run scripts that try to take the analyzer down",
		Description: "Each line is one script: how it ended, after what time, and whether a rule\n" +
			"that is known to be good found afterwards what it always finds.\n\n" +
			"With --isolation process the scripts run in worker processes, one after\n" +
			"the other; all of them end within the limit and the patience. With thread\n" +
			"each has a process of its own, in which the executor has to stop it. Some\n" +
			"cannot be stopped there: they are killed from outside, or end their process.\n\n" +
			"The exit code is 6 if a script ended otherwise than it should.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "isolation", Value: inProcess, Usage: "`HOW`: process or thread"},
			&cli.StringFlag{Name: "runtime", Value: "both", Usage: "`NAME`: legacy, ddsa or both"},
			&cli.StringFlag{Name: "only", Usage: "`NAMES` of scripts to run, with commas", DefaultText: "all"},
			&cli.DurationFlag{Name: "rule-timeout", Value: time.Second, Usage: "`LIMIT` of one execution"},
			&cli.DurationFlag{Name: "patience", Value: 500 * time.Millisecond, Usage: "how much `LATER` a script may end"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT`: table or json"},
			outOption(),
		},
		Action: tortureAction,
	}
}

func tortureAction(c *cli.Context) error {
	if err := errors.Join(noArguments(c), checkOut(c),
		checkIsolation(c),
		oneOf(c, "runtime", []string{legacy.Name, ddsa.Name, "both"}),
		oneOf(c, "format", []string{"table", "json"})); err != nil {
		return err
	}
	t := torture{
		Isolation: c.String("isolation"), V8: ddsabench.V8Version(),
		limit: c.Duration("rule-timeout"), patience: c.Duration("patience"),
	}
	if t.limit <= 0 || t.patience <= 0 {
		return usagef("--rule-timeout and --patience must be more than 0")
	}
	scripts, err := chosenScripts(c.String("only"))
	if err != nil {
		return err
	}
	runtimes := []string{c.String("runtime")}
	if runtimes[0] == "both" {
		runtimes = []string{legacy.Name, ddsa.Name}
	}
	progress := newProgress(c.App.ErrWriter)
	for i, name := range runtimes {
		err := t.run(c.Context, name, scripts, func(done int, script string) {
			progress.script(i*len(scripts)+done, len(runtimes)*len(scripts), name+": "+script)
		})
		if err != nil {
			progress.end()
			return err
		}
	}
	progress.end()
	form := t.table
	if c.String("format") == "json" {
		form = t.json
	}
	if err := write(c, form); err != nil {
		return err
	}
	if wrong := t.wrong(); wrong > 0 {
		return &exitError{exitViolations, fmt.Errorf("%s did not end as it should", plural(wrong, "hostile script"))}
	}
	return nil
}

// chosenScripts are those of a list of names, all for an empty one.
func chosenScripts(names string) (scripts []*hostile.Script, err error) {
	if names == "" {
		return hostile.Scripts(), nil
	}
	for name := range strings.SplitSeq(names, ",") {
		s, err := hostile.Named(name)
		if err != nil {
			return nil, usage(err)
		}
		scripts = append(scripts, s)
	}
	return scripts, nil
}

const tortureChildName = "_torture"

// tortureChild starts a process for one script: this very program.
var tortureChild = []string{"/proc/self/exe", tortureChildName}

func tortureChildCommand() *cli.Command {
	return &cli.Command{
		Name: tortureChildName, Hidden: true, HideHelp: true,
		Action: func(c *cli.Context) error {
			// Ending with the parent's interruption is the parent's doing.
			return hostile.Child(context.WithoutCancel(c.Context), os.Stdin, os.Stdout, ddsabench.NewArm)
		},
	}
}
