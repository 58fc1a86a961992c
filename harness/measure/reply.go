package measure

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

// A reply is all that a child said.
type reply struct {
	startup time.Duration // 0: never ready
	figures *harness.Figures
	failure string // the child's own error
	garbage string // the start of what is no message
}

// listen reads messages until the child's end or something that is none.
func listen(r io.Reader, start time.Time, events Events) reply {
	var got reply
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 64<<10), maxMessage)
	for scan.Scan() {
		var m message
		err := json.Unmarshal(scan.Bytes(), &m)
		switch {
		case err != nil || got.figures != nil:
			got.garbage = fmt.Sprintf("%.100q", scan.Bytes())
			return got
		case m.Ready != nil:
			got.startup = time.Since(start)
			if events.Ready != nil {
				events.Ready()
			}
		case m.Progress != nil:
			if events.Progress != nil {
				events.Progress(m.Progress.Done, m.Progress.Files)
			}
		case m.Finding != nil:
			if events.Finding != nil {
				events.Finding(m.Finding.Pair, m.Finding.Finding)
			}
		case m.Result != nil:
			got.figures = m.Result
		case m.Error != "":
			got.failure = m.Error
		default:
			got.garbage = fmt.Sprintf("%.100q", scan.Bytes())
			return got
		}
	}
	if errors.Is(scan.Err(), bufio.ErrTooLong) {
		got.garbage = fmt.Sprintf("a line of more than %d bytes", maxMessage)
	}
	return got
}

// void returns why the sample does not count, or nil. waited is what waiting
// for the process gave.
func (r *reply) void(state *os.ProcessState, waited error) *harness.Void {
	status, _ := state.Sys().(syscall.WaitStatus)
	v := &harness.Void{Exit: state.ExitCode()}
	switch {
	case r.garbage != "":
		v.Cause, v.Detail = harness.Garbage, r.garbage
	case status.Signaled():
		v.Cause, v.Detail = harness.Signal, status.Signal().String()
		if status.Signal() == syscall.SIGKILL {
			v.Detail += ", perhaps because memory ran out"
		}
	case v.Exit != 0:
		v.Cause, v.Detail = harness.Exit, r.failure
		if v.Detail == "" {
			v.Detail = fmt.Sprintf("status %d", v.Exit)
		}
	case r.figures == nil:
		v.Cause, v.Detail = harness.NoResult, r.failure
	case waited != nil && !errors.Is(waited, exec.ErrWaitDelay):
		v.Cause, v.Detail = harness.Exit, waited.Error()
	default:
		return nil
	}
	return v
}
