//go:build linux

// Package osthread starts joinable OS threads with a Go body.
//
// It is for threads that are themselves the subject: a refused one is an error
// here, where Go's own scheduler would end the process, and Join returns when
// the thread and its stack are gone. For everything else there are goroutines.
package osthread

// #include "osthread.h"
import "C"

import (
	"fmt"
	"runtime"
	"runtime/cgo"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/internal/watch"
)

// A Starter says what kind of threads to start. The zero value is ready to use.
type Starter struct {
	// Name is what /proc and debuggers show, cut to 15 bytes; empty leaves the
	// process's name.
	Name string
	// StackSize is the size of a thread's C stack in bytes, which the Go body
	// does not run on; 0 is the system's default (ulimit -s).
	StackSize uint64
}

var _ watch.Starter = Starter{}.Start

// Start starts a thread that runs body. If the system refuses the thread, the
// error wraps the syscall.Errno, usually EAGAIN, and body does not run.
//
// Each thread must be joined. A panic in body ends the process with the usual
// trace, as it does in a goroutine; body must not call runtime.Goexit.
func (s Starter) Start(body func()) (watch.Thread, error) {
	t := &thread{body: body}
	copy(t.name[:len(t.name)-1], s.Name)
	ticket := cgo.NewHandle(t)
	if errno := C.osthread_start(&t.id, C.size_t(s.StackSize), C.uintptr_t(ticket)); errno != 0 {
		ticket.Delete()
		return nil, fmt.Errorf("osthread: no thread to be had (stack size %d, 0 is the default): %w;"+
			" check the limits on processes (ulimit -u, pids.max) and memory", s.StackSize, syscall.Errno(errno))
	}
	return t, nil
}

type thread struct {
	id   C.pthread_t
	name [16]byte // with its final NUL
	body func()
}

// Join implements watch.Thread.
func (t *thread) Join() {
	if errno := C.pthread_join(t.id, nil); errno != 0 {
		panic(fmt.Sprintf("osthread: join: %v (joined twice, or by itself?)", syscall.Errno(errno)))
	}
}

// osthreadRun is the thread's way into Go. The ticket, and never a Go pointer,
// has crossed C; it is used up here.
//
//export osthreadRun
func osthreadRun(ticket C.uintptr_t) {
	// Locked, the thread is not the one from which Go starts further threads,
	// which would inherit its name.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h := cgo.Handle(ticket)
	t := h.Value().(*thread)
	h.Delete()
	if t.name[0] != 0 {
		// Can fail only for a bad address.
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&t.name[0])), 0, 0, 0)
	}
	t.body()
}
