package hostile_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
	"github.com/ddsabench/ddsabench/legacy"
)

var executors = []string{legacy.Name, ddsa.Name}

func newExecutor(t testing.TB, name string, limits executor.Limits) executor.Executor {
	t.Helper()
	e, err := ddsabench.NewArm(name, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// The suite is as large as it claims to be, and says of each script how it ends.
func TestScripts(t *testing.T) {
	known := []string{hostile.NotStopped, hostile.Aborts}
	for o := range executor.OutcomeCount {
		known = append(known, executor.Outcome(o).String())
	}
	all := hostile.Scripts()
	if len(all) < 60 {
		t.Errorf("only %d scripts", len(all))
	}
	for _, s := range all {
		for i, ending := range slices.Concat(s.InProcess, s.InWorker) {
			inWorker := i >= len(s.InProcess)
			if !slices.Contains(known, ending) || inWorker && slices.Contains(known[:2], ending) {
				t.Errorf("%s: ending %q is unknown", s.Name, ending)
			}
		}
		if len(s.Name) > 32 || len(s.Tries) > 90 {
			t.Errorf("%s: its name or its first line is too long", s.Name)
		}
	}
	if _, err := hostile.Named("nobody"); err == nil {
		t.Error("there is a script called nobody")
	}
}

// All scripts that can be stopped in this process are, one after the other on
// the same executors, and nothing that one leaves behind reaches the next.
func TestInProcess(t *testing.T) {
	for _, name := range executors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			short := newExecutor(t, name, hostile.Limits(50*time.Millisecond))
			long := newExecutor(t, name, hostile.Limits(time.Minute))
			for _, s := range hostile.Scripts() {
				if !s.InProcessHolds() {
					continue
				}
				e := long
				if slices.Contains(s.InProcess, executor.Timeout.String()) {
					e = short
				}
				r, err := hostile.Run(t.Context(), e, s)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(s.InProcess, r.Ending) {
					t.Errorf("%s: ended with %s (%s), want %v", s.Name, r.Ending, r.Detail, s.InProcess)
				}
				if r.Next != "" {
					t.Errorf("%s: then the known good rule: %s", s.Name, r.Next)
				}
				if r.Took > 30*time.Second {
					t.Errorf("%s: took %v", s.Name, r.Took)
				}
			}
		})
	}
}

// What cannot be stopped inside a process is killed from outside, what ends its
// process is seen to, and the rest is as it would be here.
func TestAttempt(t *testing.T) {
	for _, c := range []struct {
		script, ending string
		patience       time.Duration
	}{
		{"includes-sparse", hostile.NotStopped, 200 * time.Millisecond},
		{"case-long", hostile.Aborts, time.Minute},
		{"loop-empty", executor.Timeout.String(), time.Minute},
		{"changed-globals", executor.Script.String(), time.Minute},
	} {
		limit := 100 * time.Millisecond
		if c.ending != hostile.NotStopped {
			limit = 5 * time.Second
		}
		job := hostile.Job{Script: c.script, Executor: ddsa.Name, Limits: hostile.Limits(limit)}
		r, err := hostile.Attempt(t.Context(), child, job, c.patience)
		if err != nil || r.Ending != c.ending || r.Next != "" {
			t.Errorf("%s: %+v, %v", c.script, r, err)
		}
		if c.ending == hostile.Aborts && r.Detail == "" {
			t.Errorf("%s: V8 said nothing: %+v", c.script, r)
		}
	}
	job := hostile.Job{Script: "loop-empty", Executor: ddsa.Name, Limits: hostile.Limits(100 * time.Millisecond)}
	r, err := hostile.Attempt(t.Context(), []string{child[0], diesLaterName}, job, time.Minute)
	if err != nil || r.Ending != hostile.Aborts || !strings.Contains(r.Detail, "died later") {
		t.Errorf("dies after the script: %+v, %v", r, err)
	}
	for _, bad := range [][]string{{"/nowhere"}, {"/bin/false"}, child} {
		if r, err := hostile.Attempt(t.Context(), bad, hostile.Job{Script: "nobody"}, time.Minute); err == nil {
			t.Errorf("%v: %+v", bad, r)
		}
	}
}
