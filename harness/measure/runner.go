package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// The defaults of a Runner.
const (
	DefaultLimit    = 10 * time.Minute
	DefaultInterval = 50 * time.Millisecond
)

// grace is how long a killed child's pipes may stay open.
const grace = 2 * time.Second

var errLimit = errors.New("time limit of one sample")

// A Runner starts children, one at a time.
type Runner struct {
	// Command is the program, normally this one, and the arguments that make
	// it call ChildMain.
	Command []string
	// Limit bounds one child's life, Interval is the time between two looks at
	// it; 0 means the default.
	Limit, Interval time.Duration
	// Pin, if not empty, are the cores, by number from 0, that a child is
	// confined to from its start on. It then takes these for all there are.
	Pin []int
	// Env is the child's environment; nil means this process's.
	Env []string
	// Attach, if not nil, is called when a child waits for its job, to trace
	// it. The function that it returns, if it is not nil, is called when the
	// child has ended, however it did, before its process id is free for
	// others. If Attach fails there is no sample.
	Attach func(pid int) (detach func(), err error)
}

// Run makes one sample. A child that dies, hangs or writes garbage gives a
// void sample and no error. An error means that no child could be started, or
// that ctx ended; the child is dead by then in any case. The sample's round,
// position and start are the caller's to fill.
func (r *Runner) Run(ctx context.Context, spec JobSpec, events Events) (harness.Sample, error) {
	text, err := json.Marshal(spec)
	if err != nil {
		return harness.Sample{}, fmt.Errorf("job for a child: %w", err)
	}
	limit := orDefault(r.Limit, DefaultLimit)
	limited, kill := context.WithTimeoutCause(ctx, limit, errLimit)
	defer kill()
	results, childEnd, err := os.Pipe()
	if err != nil {
		return harness.Sample{}, fmt.Errorf("start a child: %w", err)
	}
	defer func() { _ = results.Close() }() // only read

	stderr := &tail{}
	cmd := exec.CommandContext(limited, r.Command[0], r.Command[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = r.Env, stderr, stderr
	cmd.ExtraFiles = []*os.File{childEnd} // becomes resultFD
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = grace
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = startOn(r.Pin, cmd.Start)
	}
	_ = childEnd.Close() // the child has its own
	if err != nil {
		return harness.Sample{}, fmt.Errorf("start a child: %w", err)
	}
	start := time.Now()
	// A grandchild that left the process group may hold the pipe.
	stop := context.AfterFunc(limited, func() { _ = results.SetReadDeadline(time.Now().Add(grace)) })
	defer stop()

	detach, err := r.attach(cmd.Process.Pid)
	if err != nil {
		kill()
		_ = cmd.Wait() // it was killed
		return harness.Sample{}, err
	}
	w := watch(cmd.Process.Pid, spec, orDefault(r.Interval, DefaultInterval), start)
	_, _ = stdin.Write(text) // a child that does not read shows itself below
	reply := listen(results, start, w.noticing(events))
	w.stop() // before Wait frees the process's number for others
	if reply.garbage != "" {
		kill()
	}
	detach()
	waited := cmd.Wait()
	if ctx.Err() != nil {
		return harness.Sample{}, ctx.Err()
	}
	sample := harness.Sample{
		Arm: spec.Arm, Startup: reply.startup, PeakThreads: w.peakThreads, Series: w.series,
		Figures: reply.figures, Void: reply.void(cmd.ProcessState, waited),
	}
	if sample.Void != nil && context.Cause(limited) == errLimit {
		sample.Void = &harness.Void{Cause: harness.Hang, Detail: limit.String(), Exit: -1}
	}
	if sample.Void != nil {
		sample.Figures = nil
		sample.Void.Stderr = stderr.lines()
	} else {
		w.keep(&sample.Figures.Memory)
	}
	return sample, nil
}

// attach calls Attach. The returned function waits for the child's end, but not
// for the child: its process id stays its own.
func (r *Runner) attach(pid int) (detach func(), err error) {
	if r.Attach == nil {
		return func() {}, nil
	}
	stop, err := r.Attach(pid)
	if err != nil {
		return nil, fmt.Errorf("attach to a child: %w", err)
	}
	if stop == nil {
		return func() {}, nil
	}
	return func() {
		for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
		stop()
	}, nil
}

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}
