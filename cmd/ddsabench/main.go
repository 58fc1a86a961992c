// Command ddsabench compares two ways of giving JavaScript rule executions a
// timeout, and analyzes files with either.
//
// The package turns options into calls of the packages below it and their
// errors into exit codes; it measures and judges nothing itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"
)

// commit is set by the build.
var commit = "unknown"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	// A closed pipe is a write error like any other, not a silent end. Notify,
	// and not Ignore, because children would inherit the latter.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args, os.Stdout, os.Stderr))
}

// run is the command without the process: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	app := newApp(out, stderr)
	err := app.RunContext(ctx, optionsFirst(app.Commands, args))
	if err == nil {
		err = out.err // the library loses it when it prints help
	}
	code := exitCode(ctx, err)
	if code == exitInterrupted {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(stderr, "ddsabench: %v\n", err)
	}
	return code
}

// exitCode is the code for a command's error. What fails after an interruption
// fails because of it, unless the error has a code of its own.
func exitCode(ctx context.Context, err error) int {
	var own *exitError
	_, library := err.(cli.ExitCoder) // help for a command that does not exist
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &own):
		return own.code
	case library:
		return exitUsage
	case ctx.Err() != nil:
		return exitInterrupted
	default:
		return exitInternal
	}
}
