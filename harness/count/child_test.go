package count

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/internal/osthread"
)

// TestMain runs the tests or plays the child that is counted.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "child" {
		if err := play(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// What the child does besides what Go does.
const (
	stack     = 1 << 20 // of a thread
	together  = 20      // threads at once
	mib       = 1 << 20
	kept      = 3 // mappings
	dropped   = 5
	processes = 1
)

// play waits for a number on standard input, makes and joins that many threads
// one after another, some at once, maps and unmaps memory, and makes a child of
// its own that does nothing. If the number is negative, a child of its own does
// all this.
func play() error {
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return err
	}
	threads, err := strconv.Atoi(line[:len(line)-1])
	if err != nil || threads == 0 {
		return err
	}
	if threads < 0 {
		return playBelow(-threads)
	}
	starter := osthread.Starter{StackSize: stack}
	for range threads {
		t, err := starter.Start(func() {})
		if err != nil {
			return err
		}
		t.Join()
	}
	if err := atOnce(starter); err != nil {
		return err
	}
	if err := mapAndUnmap(); err != nil {
		return err
	}
	return playBelow(0)
}

func playBelow(threads int) error {
	child := exec.Command(os.Args[0], "child")
	in, err := child.StdinPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(in, threads)
	return errors.Join(err, child.Wait())
}

func atOnce(starter osthread.Starter) error {
	var ready sync.WaitGroup
	release := make(chan struct{})
	defer ready.Wait()
	for range together {
		ready.Add(1)
		t, err := starter.Start(func() { ready.Done(); <-release })
		if err != nil {
			return err
		}
		defer t.Join()
	}
	ready.Wait()
	close(release)
	return nil
}

func mapAndUnmap() error {
	for i := range kept + dropped {
		m, err := unix.Mmap(-1, 0, mib, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		if i < kept {
			continue
		}
		if m, err = unix.Mremap(m, 2*mib, unix.MREMAP_MAYMOVE); err != nil {
			return err
		}
		if err := unix.Munmap(m); err != nil {
			return err
		}
	}
	// A reservation of which the first half is opened.
	r, err := unix.Mmap(-1, 0, 2*mib, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return err
	}
	return unix.Mprotect(r[:mib], unix.PROT_READ)
}

// countChild counts a child that makes that many threads, one after another. The
// functions, if not nil, are called before and after counting has begun.
func countChild(t *testing.T, threads int, o Options, environ []string, before, attached func(pid int)) *harness.Counted {
	t.Helper()
	cmd := exec.Command(os.Args[0], "child")
	cmd.Env, cmd.Stderr = environ, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	defer func() {
		_ = cmd.Process.Kill() // if the test fails half-way; else it has ended
		_ = cmd.Wait()
	}()
	if before != nil {
		before(pid)
	}
	c, err := Start(t.Context(), pid, o)
	if err != nil {
		t.Fatal(err)
	}
	if attached != nil {
		attached(pid)
	}
	_, writeErr := fmt.Fprintln(in, threads)
	endErr := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
	got, err := c.Stop()
	if err := errors.Join(writeErr, endErr, err, cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	return got
}
