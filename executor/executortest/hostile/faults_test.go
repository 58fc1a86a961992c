package hostile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
	"github.com/ddsabench/ddsabench/legacy"
)

// noThreadsName is the argument of a child that runs noThreads.
const noThreadsName = "_no_threads"

// The system has no thread left. legacy's executions fail and their scripts do
// not run, a ddsa that has its watchdog goes on, a new one is refused. When
// there are threads again, all is well.
func TestNoThreads(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), child[0], noThreadsName).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func noThreads() error {
	old, err := legacy.New(executor.DefaultLimits())
	if err != nil {
		return err
	}
	defer old.Close()
	one, err := ddsa.New(executor.DefaultLimits())
	if err != nil {
		return err
	}
	defer one.Close()
	right := func(e executor.Executor) error {
		res, err := e.Execute(context.Background(), greets, executortest.NewFile("a.js", "let ä = 1", executortest.Match{"a=ä"}))
		if err != nil || !greeted(res) {
			return fmt.Errorf("%s: %+v, %w", e.Name(), res, err)
		}
		return nil
	}
	if err := errors.Join(right(old), right(one)); err != nil {
		return err
	}
	spareThreads()
	// The limit does not hold for root, so be a user with no other process.
	if os.Getuid() == 0 {
		if err := syscall.Setuid(54321); err != nil {
			return err
		}
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &before); err != nil {
		return err
	}
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1, Max: before.Max}); err != nil {
		return err
	}
	// It would end as a script error.
	ran := &executor.Rule{Name: "fault/ran", Code: "throw 'ran'; function visit() {}"}
	for range 3 {
		_, err := old.Execute(context.Background(), ran, executortest.NewFile("a.js", "x", executortest.Match{}))
		if !errors.Is(err, executor.ErrNoWatchdog) || !errors.Is(err, syscall.EAGAIN) {
			return fmt.Errorf("legacy without threads: %w", err)
		}
		if err := right(one); err != nil {
			return fmt.Errorf("without threads: %w", err)
		}
		if _, err := one.Execute(context.Background(), ran, executortest.NewFile("a.js", "x", executortest.Match{})); !errors.Is(err, executor.ErrScript) {
			return fmt.Errorf("ddsa without threads: %w", err)
		}
		if e, err := ddsa.New(executor.DefaultLimits()); e != nil || !errors.Is(err, executor.ErrNoWatchdog) {
			return fmt.Errorf("a new ddsa without threads: %w", err)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &before); err != nil {
		return err
	}
	return errors.Join(right(old), right(one))
}

// spareThreads has Go keep more threads than the rest will need: where its own
// runtime gets none, the process ends, which is not what is tested.
func spareThreads() {
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { _ = unix.Nanosleep(&unix.Timespec{Nsec: 100e6}, nil) })
	}
	all.Wait()
}

// The system has little memory left: the script gets a memory error, or its
// process ends and says why. It does not hang, and no result is wrong.
func TestLittleMemory(t *testing.T) {
	for _, mib := range []int{32, 128} {
		t.Setenv(dataEnv, strconv.Itoa(mib))
		for _, name := range executors {
			job := hostile.Job{Script: "grow-array", Executor: name, Limits: hostile.Limits(time.Minute)}
			r, err := hostile.Attempt(t.Context(), child, job, time.Minute)
			memory := r.Ending == executor.Memory.String() && r.Next == ""
			aborts := r.Ending == hostile.Aborts && r.Detail != ""
			if err != nil || !memory && !aborts {
				t.Errorf("%s with %d MiB: %+v, %v", name, mib, r, err)
			}
			t.Logf("%s with %d MiB: %s %s %v", name, mib, r.Ending, r.Detail, err)
		}
	}
}

// dataEnv says how much more memory than with its executor a child may have,
// in MiB.
const dataEnv = "HOSTILE_DATA"

// limitMemory does what dataEnv says.
func limitMemory() error {
	text := os.Getenv(dataEnv)
	if text == "" {
		return nil
	}
	more, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, after, _ := strings.Cut(string(status), "VmData:")
	has := 0
	if _, err := fmt.Sscan(after, &has); err != nil {
		return err
	}
	limit := uint64(has)<<10 + uint64(more)<<20
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit})
}
