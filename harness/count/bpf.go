package count

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

const (
	// ringSize holds 290,000 events: the reader may be off the processor for
	// seconds while the child makes and ends threads as fast as it can.
	ringSize = 16 << 20
	// maxProcesses bounds a family, the dead included.
	maxProcesses = 16 << 10
)

// bpfSource counts with BPF programs on raw tracepoints.
type bpfSource struct {
	counts  *ebpf.Map
	reader  *ringbuf.Reader
	fold    *fold
	read    chan error // the reading goroutine's end
	closers []func() error
}

func startBPF(pid int) (_ source, err error) {
	s := &bpfSource{read: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(bpfRefused(err), s.close())
		}
	}()
	t := &tracer{pid: pid}
	if err := t.locate(); err != nil {
		return nil, err
	}
	for m, spec := range map[**ebpf.Map]ebpf.MapSpec{
		&t.tracked: {Name: "tracked", Type: ebpf.Hash, KeySize: 4, ValueSize: 4, MaxEntries: maxProcesses},
		&t.counts:  {Name: "counts", Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: uint32(places)},
		&t.events:  {Name: "events", Type: ebpf.RingBuf, MaxEntries: ringSize},
	} {
		if *m, err = ebpf.NewMap(&spec); err != nil {
			return nil, fmt.Errorf("map %s: %w", spec.Name, err)
		}
		s.closers = append(s.closers, (*m).Close)
	}
	s.counts = t.counts
	if s.reader, err = ringbuf.NewReader(t.events); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, s.reader.Close)
	threads, err := countThreads(pid)
	if err != nil {
		return nil, err
	}
	s.fold = newFold(threads)
	if err := s.attach(t.programs()); err != nil {
		return nil, err
	}
	s.reader.SetDeadline(time.Now())
	go func() { s.read <- s.fold.readAll(s.reader) }()
	return s, nil
}

// attach loads the programs and lets them run.
func (s *bpfSource) attach(programs map[string]asm.Instructions) error {
	loaded := map[string]*ebpf.Program{}
	for name, text := range programs {
		p, err := ebpf.NewProgram(&ebpf.ProgramSpec{
			Name: name, Type: ebpf.RawTracepoint, Instructions: text, License: "GPL",
		})
		if err != nil {
			return fmt.Errorf("program %s: %w", name, err)
		}
		s.closers = append(s.closers, p.Close)
		loaded[name] = p
	}
	for name, p := range loaded {
		l, err := link.AttachRawTracepoint(link.RawTracepointOptions{Name: name, Program: p})
		if err != nil {
			return fmt.Errorf("raw tracepoint %s: %w", name, err)
		}
		s.closers = append(s.closers, l.Close)
	}
	return nil
}

// locate finds what depends on this kernel and on where we run.
func (t *tracer) locate() error {
	if len(callArguments) == 0 {
		return fmt.Errorf("not written for %s", runtime.GOARCH)
	}
	if err := unix.Stat("/proc/self/ns/pid", &t.pidns); err != nil {
		return fmt.Errorf("/proc/self/ns/pid: %w", err)
	}
	kernel, err := btf.LoadKernelSpec()
	if err != nil {
		return fmt.Errorf("types of the kernel (it needs CONFIG_DEBUG_INFO_BTF): %w", err)
	}
	var task *btf.Struct
	if err := kernel.TypeByName("task_struct", &task); err != nil {
		return fmt.Errorf("types of the kernel: %w", err)
	}
	for _, m := range task.Members {
		if m.Name == "pid" {
			t.taskPid = int16(m.Offset.Bytes())
			return nil
		}
	}
	return errors.New("types of the kernel: task_struct has no pid")
}

// stop implements source. The process has ended, so all its events are in the
// buffer.
func (s *bpfSource) stop(c *harness.Counted) error {
	if err := s.reader.Flush(); err != nil {
		return errors.Join(err, s.close())
	}
	readErr := <-s.read
	values := make([]uint64, places)
	for i := range values {
		if err := s.counts.Lookup(uint32(i), &values[i]); err != nil {
			return errors.Join(fmt.Errorf("BPF counts: %w", err), s.close())
		}
	}
	if err := errors.Join(readErr, s.close()); err != nil {
		return err
	}
	for i, call := range counted {
		c.Counts[call.name] = values[i]
	}
	c.Counts[harness.ThreadsCreated] = values[placeThreads]
	c.Counts[harness.ProcessesCreated] = values[placeProcesses]
	c.Counts[harness.ThreadExits] = values[placeExits]
	c.Counts[harness.ContextSwitches] = values[placeSwitches]
	c.LostEvents = values[placeLost]
	if n := values[placeUntracked]; n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d child processes were not followed: there were more than %d.", n, maxProcesses))
	}
	if n := values[placeFailedUnmaps]; n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d calls to munmap failed; the allocation profile takes them as done.", n))
	}
	s.fold.finish(c)
	return nil
}

// close releases everything, the newest first.
func (s *bpfSource) close() error {
	var errs []error
	for i := range s.closers {
		errs = append(errs, s.closers[len(s.closers)-1-i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// bpfRefused says why BPF is not used and what to do.
func bpfRefused(err error) error {
	switch {
	case errors.Is(err, unix.EPERM):
		return fmt.Errorf("BPF: %w; run as root or with CAP_BPF and CAP_PERFMON", unix.EPERM)
	case errors.Is(err, ebpf.ErrNotSupported) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL):
		return fmt.Errorf("BPF: %w; it needs Linux 5.8 with CONFIG_BPF_EVENTS and CONFIG_FTRACE_SYSCALLS", err)
	}
	return fmt.Errorf("BPF: %w", err)
}
