//go:build linux

package hostile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A Job is what a child process is to do. It comes as JSON on standard input.
type Job struct {
	Script, Executor string
	Limits           executor.Limits
}

// The lines that a child writes around the script, before its report.
const (
	started = "started\n"
	ended   = "ended\n"
)

// failed is the exit code of a child that could not do its job. Go and V8 end a
// process in other ways.
const failed = 1

// Child is a child process: it reads a Job from in, runs its script on the
// executor that newExecutor makes, and writes a Report to out, if it lives. On
// an error the process should write it to standard error and exit with 1.
func Child(ctx context.Context, in io.Reader, out io.Writer, newExecutor func(string, executor.Limits) (executor.Executor, error)) error {
	var job Job
	if err := json.NewDecoder(in).Decode(&job); err != nil {
		return fmt.Errorf("a hostile script's child reads its job: %w", err)
	}
	s, err := Named(job.Script)
	if err != nil {
		return err
	}
	e, err := newExecutor(job.Executor, job.Limits)
	if err != nil {
		return err
	}
	report, err := run(ctx, e, s, func(line string) error {
		_, err := io.WriteString(out, line)
		return err
	})
	if err == nil {
		err = json.NewEncoder(out).Encode(report)
	}
	return errors.Join(err, e.Close())
}

// Attempt does job in a process of its own, started by command, which calls
// Child. A process that has not ended patience after the script's time limit is
// killed: NotStopped. One that dies by itself, in the script or in what was to
// follow, is Aborts. An error means that there was no such process, or that it
// could not do its job; if outer has ended, it is outer's.
func Attempt(outer context.Context, command []string, job Job, patience time.Duration) (Report, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return Report{}, err
	}
	ctx, kill := context.WithCancel(outer)
	defer kill()
	var stderr first
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Stdin, child.Stderr = bytes.NewReader(text), &stderr
	// A child that loops must not outlive its parent. The signal comes when the
	// thread ends that has started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := child.StdoutPipe()
	if err != nil {
		return Report{}, err
	}
	if err := child.Start(); err != nil {
		return Report{}, fmt.Errorf("start a process for a hostile script: %w", err)
	}
	lines := bufio.NewReader(stdout)
	line, _ := lines.ReadString('\n')
	if line != started {
		return Report{}, fmt.Errorf("script %s did not start: %w: %s", job.Script, errors.Join(child.Wait(), ctx.Err()), stderr.lastWords())
	}
	begin := time.Now()
	timer := time.AfterFunc(job.Limits.Timeout+patience, kill)
	line, _ = lines.ReadString('\n')
	took := time.Since(begin)
	late := !timer.Stop()
	answer, _ := lines.ReadBytes('\n')
	waited := child.Wait()
	switch {
	case outer.Err() != nil:
		return Report{}, outer.Err()
	case late:
		return Report{Ending: NotStopped, Took: took}, nil
	case line != ended, len(answer) == 0 && child.ProcessState.ExitCode() != failed:
		return Report{Ending: Aborts, Detail: stderr.lastWords(), Took: took}, nil
	}
	var report Report
	if err := errors.Join(json.Unmarshal(answer, &report), waited); err != nil {
		return Report{}, fmt.Errorf("script %s: its process: %w: %s", job.Script, err, stderr.lastWords())
	}
	return report, nil
}

// A first keeps the first part of what a process writes to standard error: V8
// says first why it gives up, and then much else.
type first struct{ text []byte }

func (f *first) Write(p []byte) (int, error) {
	const limit = 16 << 10
	f.text = append(f.text, p[:min(len(p), limit-len(f.text))]...)
	return len(p), nil
}

// lastWords is V8's reason and the signal, or else the first line.
func (f *first) lastWords() string {
	var said []string
	for line := range strings.Lines(string(f.text)) {
		line = strings.TrimSpace(line)
		if reason, ok := strings.CutPrefix(line, "# "); ok && !strings.HasPrefix(reason, "Fatal error in") {
			said = append(said, reason)
		} else if strings.HasPrefix(line, "SIG") {
			said = append(said, line)
		}
	}
	if said == nil {
		line, _, _ := strings.Cut(string(f.text), "\n")
		said = []string{line}
	}
	return strings.Join(said, "; ")
}
