package hostile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
)

// childName is the argument that makes the test binary a child of itself.
const childName = "_hostile"

var child = []string{"/proc/self/exe", childName}

// A child with this argument dies in the second execution: after the script.
const diesLaterName = "_dies_later"

type diesLater struct {
	executor.Executor
	executions int
}

func (d *diesLater) Execute(ctx context.Context, r *executor.Rule, f *executor.File) (executor.Result, error) {
	if d.executions++; d.executions == 2 {
		panic("died later")
	}
	return d.Executor.Execute(ctx, r, f)
}

func TestMain(m *testing.M) {
	ddsabench.WorkerMain()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case childName:
			exit(hostile.Child(context.Background(), os.Stdin, os.Stdout, limited))
		case diesLaterName:
			exit(hostile.Child(context.Background(), os.Stdin, os.Stdout, func(name string, limits executor.Limits) (executor.Executor, error) {
				e, err := ddsabench.NewArm(name, limits)
				return &diesLater{Executor: e}, err
			}))
		case noThreadsName:
			exit(noThreads())
		}
	}
	goleak.VerifyTestMain(m)
}

// limited makes an executor before memory gets scarce.
func limited(name string, limits executor.Limits) (executor.Executor, error) {
	e, err := ddsabench.NewArm(name, limits)
	return e, errors.Join(err, limitMemory())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
