package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/ddsabench/ddsabench/harness"
)

// ResultFile is the descriptor on which a child reports. An error means that
// the process was not started by a Runner.
func ResultFile() (*os.File, error) {
	f := os.NewFile(resultFD, "results")
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return nil, errors.New("this command is started by the harness, not by hand")
	}
	syscall.CloseOnExec(resultFD)
	return f, nil
}

// ChildMain is the child's side: it reads a JobSpec from in, has open open what
// the job needs, runs it, and reports on out. The process's command returns
// the error to its caller as a failure. If in ends before the job does, the
// parent is gone and ChildMain ends the process at once.
func ChildMain(ctx context.Context, in io.Reader, out io.Writer, open func(JobSpec) (Env, error)) error {
	decoder := json.NewDecoder(in)
	var spec JobSpec
	if err := decoder.Decode(&spec); err != nil {
		return fmt.Errorf("job for the child: %w", err)
	}
	go exitAtEnd(in)

	encoder := json.NewEncoder(out)
	var failed error // the first failure to report; the parent sees the pipe's end
	send := func(m message) {
		if failed == nil {
			failed = encoder.Encode(m)
		}
	}
	figures, err := runOpened(ctx, spec, open, Events{
		Ready:    func() { send(message{Ready: &struct{}{}}) },
		Progress: func(done, files int) { send(message{Progress: &progress{done, files}}) },
		Finding:  func(p harness.Pair, f harness.Finding) { send(message{Finding: &finding{p, f}}) },
	})
	if err != nil {
		send(message{Error: err.Error()})
		return err
	}
	send(message{Result: figures})
	return failed
}

func runOpened(ctx context.Context, spec JobSpec, open func(JobSpec) (Env, error), events Events) (*harness.Figures, error) {
	env, err := open(spec)
	if err != nil {
		return nil, err
	}
	return RunJob(ctx, spec, env, events)
}

// exitAtEnd ends the process when in does. A child whose parent was killed
// would otherwise go on for minutes and disturb whatever is measured next.
func exitAtEnd(in io.Reader) {
	_, _ = io.Copy(io.Discard, in) // any end is the end
	os.Exit(1)
}
