//go:build linux

package worker

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A launcher starts processes from one thread, which nothing else runs on:
// no_new_privs and the signal at the parent's death belong to the thread that
// forks, not to the process. It lasts as long as there are executors.
type launcher struct {
	mu    sync.Mutex
	users int
	work  chan func()
}

var launch launcher

func (l *launcher) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users++; l.users > 1 {
		return
	}
	work := make(chan func())
	l.work = work
	go func() {
		// Never unlocked: the thread ends with the goroutine.
		runtime.LockOSThread()
		// Fails on kernels older than any that Go runs on.
		_ = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		for f := range work {
			f()
		}
	}()
}

func (l *launcher) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		close(l.work)
	}
}

// start starts this program as a worker with the given files.
func (l *launcher) start(files []*os.File) (p *os.Process, err error) {
	done := make(chan struct{})
	l.work <- func() {
		defer close(done)
		p, err = os.StartProcess("/proc/self/exe", []string{workerName, workerMark}, &os.ProcAttr{
			Dir: "/", Env: environment(), Files: files,
			// A group of its own, so that Ctrl-C reaches the parent alone.
			Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
		})
	}
	<-done
	if err != nil {
		return nil, fmt.Errorf("worker: start a process: %w", err)
	}
	return p, nil
}

// environment is what a worker has to have in common with its parent: what
// changes the results of rules (time zone, language), what the libraries need
// to be found, and how Go, C and the sanitizers use memory and processors.
func environment() []string {
	kept := []string{
		"TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "GOMAXPROCS", "GOGC", "GOMEMLIMIT",
		"GORACE", "ASAN_OPTIONS", "LSAN_OPTIONS",
	}
	var env []string
	for _, name := range kept {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "LC_") || strings.HasPrefix(entry, "MALLOC_") {
			env = append(env, entry)
		}
	}
	return env
}
