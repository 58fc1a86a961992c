package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

func runner(part string) *Runner {
	return &Runner{Command: []string{os.Args[0], "child", part}, Limit: time.Minute}
}

func TestRunnerGood(t *testing.T) {
	ready, progressed := 0, 0
	s, err := runner("good").Run(t.Context(), fakeSpec(), Events{
		Ready:    func() { ready++ },
		Progress: func(done, files int) { progressed = done },
	})
	if err != nil || s.Void != nil {
		t.Fatalf("%v, %v", s.Void, err)
	}
	if ready != 1 || progressed != 20 {
		t.Errorf("ready %d times, progress up to %d; want 1, 20", ready, progressed)
	}
	f := s.Figures
	if f.Executions != 38 || f.Findings == "" || s.Startup <= 0 || s.Arm != "fake" {
		t.Errorf("sample %+v, figures %+v", s, f)
	}
	// The child's own peak, not that of the parent: memory that the test's
	// process holds must not appear in it.
	if f.Memory.PeakRSS > 100<<20 || f.Memory.PeakRSS < f.Memory.RSS {
		t.Errorf("peak RSS %d, RSS %d", f.Memory.PeakRSS, f.Memory.RSS)
	}
	n := len(s.Series.At)
	if len(s.Series.RSS) != n || len(s.Series.Threads) != n {
		t.Errorf("series of unequal length: %+v", s.Series)
	}
}

func TestRunnerVoid(t *testing.T) {
	for part, want := range map[string]harness.Void{
		"signal":  {Cause: harness.Signal, Detail: "killed, perhaps because memory ran out", Exit: -1, Stderr: []string{"about to die"}},
		"broken":  {Cause: harness.Exit, Detail: "no such corpus", Exit: 1, Stderr: []string{"no such corpus"}},
		"late":    {Cause: harness.Exit, Detail: "status 1", Exit: 1, Stderr: []string{"late failure"}},
		"nothing": {Cause: harness.NoResult, Exit: 0},
		"garbage": {Cause: harness.Garbage, Detail: `"<html>"`, Exit: -1},
		"hang":    {Cause: harness.Hang, Detail: "300ms", Exit: -1},
		"panic":   {Cause: harness.Exit, Detail: "status 2", Exit: 2},
	} {
		t.Run(part, func(t *testing.T) {
			r := runner(part)
			if part == "hang" {
				r.Limit = 300 * time.Millisecond
			}
			s, err := r.Run(t.Context(), fakeSpec(), Events{})
			if err != nil || s.Void == nil || s.Figures != nil {
				t.Fatalf("%+v, %v", s, err)
			}
			got := *s.Void
			if part == "panic" {
				if !strings.Contains(strings.Join(got.Stderr, "\n"), "measure.play") {
					t.Errorf("no stack in %q", got.Stderr)
				}
				got.Stderr = nil
			}
			if got.Cause != want.Cause || got.Detail != want.Detail || got.Exit != want.Exit ||
				strings.Join(got.Stderr, "\n") != strings.Join(want.Stderr, "\n") {
				t.Errorf("void %+v, want %+v", got, want)
			}
		})
	}
}

func TestRunnerCannotStart(t *testing.T) {
	s, err := (&Runner{Command: []string{"/does/not/exist"}}).Run(t.Context(), fakeSpec(), Events{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%+v, %v", s, err)
	}
}

// Cancelling kills the child, however busy it is.
func TestRunnerCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	time.AfterFunc(50*time.Millisecond, cancel)
	start := time.Now()
	s, err := runner("hang").Run(ctx, fakeSpec(), Events{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", s, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// Attach sees the child before it has its job, and detach when it has ended but
// still has its process id, whether it ended well or not.
func TestRunnerAttach(t *testing.T) {
	for _, part := range []string{"good", "garbage", "signal", "hang"} {
		t.Run(part, func(t *testing.T) {
			r := runner(part)
			if part == "hang" {
				r.Limit = 300 * time.Millisecond
			}
			attached, detached := 0, 0
			r.Attach = func(pid int) (func(), error) {
				attached++
				return func() {
					detached++
					stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
					if err != nil || !strings.Contains(string(stat), ") Z ") {
						t.Errorf("not ended, or not there: %q, %v", stat, err)
					}
				}, nil
			}
			s, err := r.Run(t.Context(), fakeSpec(), Events{})
			if err != nil || (s.Void == nil) != (part == "good") {
				t.Errorf("%+v, %v", s, err)
			}
			if attached != 1 || detached != 1 {
				t.Errorf("attached %d times, detached %d", attached, detached)
			}
		})
	}
}

// The child has the environment that it is given. It says so as an error.
func TestRunnerEnv(t *testing.T) {
	r := runner("environment")
	r.Env = append(os.Environ(), "MEASURE_TEST=given")
	s, err := r.Run(t.Context(), fakeSpec(), Events{})
	if err != nil || s.Void == nil || s.Void.Detail != "given" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestRunnerAttachFails(t *testing.T) {
	r := runner("good")
	refused := errors.New("not permitted")
	var child int
	r.Attach = func(pid int) (func(), error) { child = pid; return nil, refused }
	if s, err := r.Run(t.Context(), fakeSpec(), Events{}); !errors.Is(err, refused) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", child)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the child is still there: %v", err)
	}
}

// A child whose parent is gone ends by itself, in the middle of its job.
func TestOrphanEnds(t *testing.T) {
	results, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "child", "stuck")
	cmd.ExtraFiles = []*os.File{end}
	cmd.Stdin = strings.NewReader(`{"arm":"fake"}`) // and then the end
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("got %v, want exit status 1", err)
	}
	if err := errors.Join(results.Close(), end.Close()); err != nil {
		t.Error(err)
	}
}

// By hand, without the descriptor for results, the child refuses.
func TestChildByHand(t *testing.T) {
	out, err := exec.Command(os.Args[0], "child", "good").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not by hand") {
		t.Errorf("%s, %v", out, err)
	}
}

// The parent looks at a child while it works, or not.
func TestRunnerUnsampled(t *testing.T) {
	for _, unsampled := range []bool{false, true} {
		spec := fakeSpec()
		spec.Unsampled = unsampled
		s, err := runner("good").Run(t.Context(), spec, Events{})
		if err != nil || s.Void != nil {
			t.Fatalf("%v, %v", s.Void, err)
		}
		if looked := s.PeakThreads > 0; looked == unsampled || (len(s.Series.At) > 0) != looked || s.Series.At == nil {
			t.Errorf("unsampled %v: peak %d, series %+v", unsampled, s.PeakThreads, s.Series)
		}
	}
}
