package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/measure"
)

const sampleName = "_sample"

// childCommand starts a child of compare: this very program, also if its file
// was replaced by a new build in the meantime.
var childCommand = []string{"/proc/self/exe", sampleName}

// sampleCommand is a child of compare. It makes one sample.
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
				return load.env(func() (executor.Executor, error) {
					return ddsabench.NewArm(spec.Arm, limits(spec.RuleTimeout))
				}), nil
			})
		},
	}
}
