package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/syntax"
)

// The ways to keep executors apart from the rest of the program.
const (
	inProcess = "process" // each in a worker process of its own
	inThread  = "thread"  // each on a thread of this process
)

func isolationOption() cli.Flag {
	return &cli.StringFlag{Name: "isolation", Value: inProcess, Usage: "`HOW`: process or thread"}
}

func checkIsolation(c *cli.Context) error {
	return oneOf(c, "isolation", []string{inProcess, inThread})
}

// isolated makes an executor for the workload, isolated as that says.
func (l *workload) isolated(arm string, limits executor.Limits) (executor.Executor, error) {
	if l.isolation != inProcess {
		return ddsabench.NewArm(arm, limits)
	}
	return ddsabench.NewArmIsolated(arm, limits, l.rules.all(), l.parsing)
}

// unparsed is a file for an executor that parses itself. The text is copied,
// because the caller will read the next one into its memory.
func unparsed(path string, language executor.Language, text []byte) *executor.File {
	return &executor.File{Path: path, Language: language, Text: syntax.Decode(slices.Clone(text))}
}
