package hostile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
)

// childName is the argument that makes the test binary a child of itself.
const childName = "_hostile"

var child = []string{"/proc/self/exe", childName}

func TestMain(m *testing.M) {
	ddsabench.WorkerMain()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case childName:
			exit(errors.Join(limitMemory(), hostile.Child(context.Background(), os.Stdin, os.Stdout, ddsabench.NewArm)))
		case noThreadsName:
			exit(noThreads())
		}
	}
	goleak.VerifyTestMain(m)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
