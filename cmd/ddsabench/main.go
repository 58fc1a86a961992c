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
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
)

// commit is set by the build.
var commit = "unknown"

func main() {
	ddsabench.WorkerMain()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	// A closed pipe is a write error, and run decides what comes of it. Notify,
	// and not Ignore, because children would inherit the latter.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args, os.Stdout, os.Stderr))
}

// run is the command without the process: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	app := newApp(out, stderr)
	err := app.RunContext(ctx, optionsFirst(app.Commands, args))
	// Whoever closed the pipe has seen enough: a command that was done by then
	// ends as if all had been read, and another quietly.
	closed := errors.Is(out.err, syscall.EPIPE)
	if err == nil && !closed {
		err = out.err // the library loses it when it prints help
	}
	code := exitCode(ctx, err)
	switch {
	case code == exitInterrupted:
		err = errors.New("interrupted")
	case code == exitInternal && closed && errors.Is(err, syscall.EPIPE):
		return exitPipe
	}
	if err != nil {
		tell(stderr, err)
	}
	return code
}

// tell prints an error, which can be several, each with the program's name.
func tell(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "ddsabench: %s\n", strings.TrimSuffix(line, "\n"))
	}
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
