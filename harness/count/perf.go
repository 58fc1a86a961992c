package count

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// perfSource counts with perf events that every thread hands on to the threads
// and processes that it makes.
type perfSource struct {
	events  []perfEvent
	unmount func() error // nil if tracefs was there
}

type perfEvent struct {
	name harness.Counter
	file *os.File
}

// A perfKind is one thing to count: a tracepoint (with a filter of the kernel's
// own language), or the kernel's software event of that number.
type perfKind struct {
	name               harness.Counter
	tracepoint, filter string
	software           uint64
}

func perfKinds() []perfKind {
	kinds := []perfKind{
		{name: harness.ThreadsCreated, tracepoint: "task/task_newtask", filter: fmt.Sprintf("clone_flags & %d", unix.CLONE_THREAD)},
		{name: harness.ProcessesCreated, tracepoint: "task/task_newtask", filter: fmt.Sprintf("!(clone_flags & %d)", unix.CLONE_THREAD)},
		{name: harness.ThreadExits, tracepoint: "sched/sched_process_exit"},
		{name: harness.ContextSwitches, software: unix.PERF_COUNT_SW_CONTEXT_SWITCHES},
	}
	for _, call := range counted {
		kinds = append(kinds, perfKind{name: call.name, tracepoint: "syscalls/sys_enter_" + string(call.name)})
	}
	return kinds
}

func startPerf(pid int, mount bool) (_ source, err error) {
	s := &perfSource{}
	defer func() {
		if err != nil {
			err = errors.Join(perfRefused(err), s.close())
		}
	}()
	dir, undo, err := openTracefs(mount)
	if err != nil {
		return nil, err
	}
	s.unmount = undo
	kinds := perfKinds()
	attributes := make([]unix.PerfEventAttr, len(kinds))
	for i, k := range kinds {
		if attributes[i], err = k.attribute(dir); err != nil {
			return nil, err
		}
	}
	// A thread that is made meanwhile may or may not have inherited events.
	ids, err := tasks(pid)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		for i, k := range kinds {
			if err := s.open(id, k, &attributes[i]); err != nil {
				return nil, err
			}
		}
	}
	now, err := tasks(pid)
	if err == nil && !slices.Equal(ids, now) {
		err = fmt.Errorf("process %d made or ended threads while counting began", pid)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (k perfKind) attribute(tracefs string) (unix.PerfEventAttr, error) {
	a := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: k.software,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitInherit,
	}
	if k.tracepoint == "" {
		return a, nil
	}
	text, err := os.ReadFile(filepath.Join(tracefs, "events", k.tracepoint, "id"))
	if err != nil {
		return a, err
	}
	a.Type = unix.PERF_TYPE_TRACEPOINT
	if a.Config, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err != nil {
		return a, fmt.Errorf("id of tracepoint %s: %w", k.tracepoint, err)
	}
	if k.filter != "" {
		a.Bits |= unix.PerfBitDisabled // until it has its filter
	}
	return a, nil
}

// open begins to count one kind for one thread.
func (s *perfSource) open(id int, k perfKind, a *unix.PerfEventAttr) error {
	fd, err := unix.PerfEventOpen(a, id, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("event for %s: %w", k.name, err)
	}
	s.events = append(s.events, perfEvent{k.name, os.NewFile(uintptr(fd), string(k.name))})
	if k.filter == "" {
		return nil
	}
	if err := unix.IoctlSetString(fd, unix.PERF_EVENT_IOC_SET_FILTER, k.filter); err != nil {
		return fmt.Errorf("filter for %s: %w", k.name, err)
	}
	if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0); err != nil {
		return fmt.Errorf("event for %s: %w", k.name, err)
	}
	return nil
}

// stop implements source.
func (s *perfSource) stop(c *harness.Counted) error {
	var errs []error
	for _, e := range s.events {
		var value [8]byte // with what was inherited
		if _, err := io.ReadFull(e.file, value[:]); err != nil {
			errs = append(errs, fmt.Errorf("event for %s: %w", e.name, err))
			continue
		}
		c.Counts[e.name] += binary.NativeEndian.Uint64(value[:])
	}
	if s.unmount != nil {
		c.Notes = append(c.Notes, "tracefs was mounted at "+tracefsMount+" while counting.")
	}
	return errors.Join(append(errs, s.close())...)
}

// close releases everything. The unmount comes last: events keep tracefs busy.
func (s *perfSource) close() error {
	var errs []error
	for _, e := range s.events {
		errs = append(errs, e.file.Close())
	}
	s.events = nil
	if s.unmount != nil {
		errs = append(errs, s.unmount())
	}
	return errors.Join(errs...)
}

// perfRefused says why perf events are not used and what to do.
func perfRefused(err error) error {
	switch {
	case errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES):
		err = fmt.Errorf("%w; run as root or with CAP_PERFMON", err)
	case errors.Is(err, unix.EMFILE):
		err = fmt.Errorf("%w; raise the limit on open files (ulimit -n)", err)
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("%w; the kernel needs CONFIG_FTRACE_SYSCALLS", err)
	}
	return fmt.Errorf("perf_event: %w", err)
}
