//go:build linux

package worker

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

const pageName = "ddsabench-worker"

// A page is what a worker is doing, in memory that its parent sees too. The
// worker writes it without system calls. The parent only reads it, and believes
// none of it further than to say what was running.
type page struct {
	at      atomic.Uint64 // a place
	started atomic.Int64  // when at changed last, CLOCK_MONOTONIC in nanoseconds

	executions, watchdogsStarted, watchdogsEnded atomic.Uint64
}

// A phase is what a worker does with a file.
type phase uint8

const (
	idle phase = iota
	parsing
	matching   // asking for a rule's matches, perhaps running its own query
	executing  // in V8
	collecting // keeping what was found
)

var phaseNames = [...]string{"idle", "parsing", "matching", "executing", "collecting"}

func (p phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "lost"
}

// A place is a phase of a request, and the position in its list of rules. It is
// one word, so that it is never seen half written.
type place uint64

const (
	positionBits = 28
	maxPosition  = 1<<positionBits - 1
)

func newPlace(seq uint64, position int, p phase) place {
	return place(seq<<32 | uint64(position)<<4 | uint64(p))
}

func (p place) phase() phase { return phase(p & 0xF) }

// position is the position in the list of the request seq; false if the place
// belongs to another request.
func (p place) position(seq uint64) (int, bool) {
	return int(p >> 4 & maxPosition), uint64(p)>>32 == seq&0xFFFFFFFF
}

func (p *page) place() place { return place(p.at.Load()) }

func (p *page) set(at place, now int64) {
	p.started.Store(now)
	p.at.Store(uint64(at))
}

// publish has the parent's Stats see what the executor counted.
func (p *page) publish(s executor.Stats) {
	p.executions.Store(s.Executions)
	p.watchdogsStarted.Store(s.WatchdogsStarted)
	p.watchdogsEnded.Store(s.WatchdogsEnded)
}

// newMemory makes a file of memory. It cannot be resized if size is not 0.
func newMemory(name string, size int64) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("worker: memory to share: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if size == 0 {
		return f, nil
	}
	err = unix.Ftruncate(fd, size)
	if err == nil {
		// A worker that cut it short would take its parent down with it.
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("worker: memory to share: %w", err)
	}
	return f, nil
}

func mapPage(fd int) (*page, error) {
	memory, err := unix.Mmap(fd, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("worker: map the page: %w", err)
	}
	return (*page)(unsafe.Pointer(&memory[0])), nil
}

func (p *page) unmap() {
	// Fails only for what is not mapped.
	_ = unix.MunmapPtr(unsafe.Pointer(p), uintptr(os.Getpagesize()))
}

// A clock reads CLOCK_MONOTONIC, which is the same in all processes, at the
// price of time.Since.
type clock struct {
	base  time.Time
	start int64
}

func newClock() clock {
	var now unix.Timespec
	// Fails only for a clock that does not exist.
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	return clock{time.Now(), now.Nano()}
}

func (c clock) now() int64 { return c.start + int64(time.Since(c.base)) }
