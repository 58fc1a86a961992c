package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/measure"
)

const sampleName = "_sample"

// childCommand starts a child of a comparison: this very program, also if its file
// was replaced by a new build in the meantime.
var childCommand = []string{"/proc/self/exe", sampleName}

// sampleCommand is a child of a comparison. It makes one sample.
func sampleCommand() *cli.Command {
	return &cli.Command{
		Name: sampleName, Hidden: true, HideHelp: true,
		Action: func(c *cli.Context) error {
			results, err := measure.ResultFile()
			if err != nil {
				return usage(err)
			}
			var load *workload
			defer func() {
				if load != nil {
					load.close()
				}
			}()
			return measure.ChildMain(c.Context, os.Stdin, results, func(spec measure.JobSpec) (measure.Env, error) {
				var s source
				if err := json.Unmarshal(spec.Setup, &s); err != nil {
					return measure.Env{}, fmt.Errorf("setup of a sample: %w", err)
				}
				if load, err = s.open(); err != nil {
					return measure.Env{}, err
				}
				side, err := arm.Parse(spec.Arm)
				if err != nil {
					return measure.Env{}, err
				}
				if side.Process {
					load.isolation = inProcess
				}
				load.parsing.Separate = side.Separate
				env := load.env(func() (executor.Executor, error) {
					l := limits(spec.RuleTimeout)
					l.InV8 = true
					return load.newArm(side, l)
				})
				if s.Empty {
					env.Files = 0
				}
				return env, nil
			})
		},
	}
}
