//go:build linux

package worker

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// watchEvery is how often a worker's time and memory are looked at while it
// works.
const watchEvery = 50 * time.Millisecond

// A process is one worker process, seen from its parent. It belongs to the
// goroutine that runs files; only kill may be called from any.
type process struct {
	process  *os.Process
	requests *os.File // the parent's ends of the pipes
	results  *os.File
	stderr   *os.File
	page     *page
	statm    *os.File // /proc/PID/statm

	// watch is called every watchEvery while the parent waits. It kills a
	// process that overran; the pipe's end then ends the wait.
	watch   func()
	watched time.Time

	sets    map[uint32]*ruleSet // those that it was told of
	fileID  uint64              // the executor.File.ID that it has parsed, 0 if none
	fileSet *ruleSet            // with this set
	killed  atomic.Bool
	unsent  []byte // what send has left to receive
	in      []byte // what was read and is no whole frame yet
	used    int    // how much of in was handed out
}

// startProcess starts a worker, which then waits for its setup.
func startProcess() (_ *process, err error) {
	p := &process{}
	var closing []*os.File // the worker's ends
	defer func() {
		for _, f := range closing {
			f.Close() // the parent has no use for them
		}
		if err != nil {
			p.close()
		}
	}()
	stdin, requests, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	p.requests = requests
	closing = append(closing, stdin)
	results, output, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	p.results = results
	closing = append(closing, output)
	enlarge(requests)
	if p.stderr, err = newMemory("ddsabench-stderr", 0); err != nil {
		return nil, err
	}
	shared, err := newMemory(pageName, int64(os.Getpagesize()))
	if err != nil {
		return nil, err
	}
	closing = append(closing, shared)
	if p.page, err = mapPage(int(shared.Fd())); err != nil {
		return nil, err
	}
	if p.process, err = launch.start([]*os.File{stdin, p.stderr, p.stderr, output, shared}); err != nil {
		return nil, err
	}
	p.statm, err = os.Open(fmt.Sprintf("/proc/%d/statm", p.process.Pid))
	if err != nil {
		p.kill()
		_, _ = p.process.Wait() // it is our child and was killed
		return nil, fmt.Errorf("worker: %w", err)
	}
	return p, nil
}

// kill ends the process, without waiting for it.
func (p *process) kill() {
	p.killed.Store(true)
	_ = p.process.Kill() // fails only if it has ended
}

// close gives up all but the process itself.
func (p *process) close() {
	for _, f := range []*os.File{p.requests, p.results, p.stderr, p.statm} {
		if f != nil {
			f.Close() // nothing is lost
		}
	}
	if p.page != nil {
		p.page.unmap()
	}
}

// resident is the process's memory in bytes, 0 when it has ended.
func (p *process) resident() uint64 {
	var text [128]byte
	n, _ := p.statm.ReadAt(text[:], 0)
	var size, pages uint64
	if _, err := fmt.Sscan(string(text[:n]), &size, &pages); err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}

// errFrame means that the worker sent what is no message.
var errFrame = errors.New("worker: message that makes no sense")

// wait says what comes of a read or write that was to last until the next look
// at the process: nil if it is to go on.
func (p *process) wait(err error) error {
	if now := time.Now(); now.Sub(p.watched) >= watchEvery {
		p.watched = now
		if p.watch != nil {
			p.watch()
		}
	}
	switch {
	case err == nil || errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	return fmt.Errorf("worker: %w", err)
}

// send writes frames. What the worker does not take at once is sent by receive:
// a worker that has results to hand over does not read before they are taken.
// That the process has ended is for receive to say, after what it has left.
func (p *process) send(frames []byte) error {
	if len(p.unsent) == 0 {
		if err := p.requests.SetWriteDeadline(time.Now().Add(watchEvery)); err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		n, err := p.requests.Write(frames)
		if frames = frames[n:]; errors.Is(err, unix.EPIPE) {
			return nil
		}
		if err := p.wait(err); err != nil {
			return err
		}
	}
	p.unsent = append(p.unsent, frames...)
	return nil
}

// receive reads a frame, whose payload is valid until the next call. io.EOF
// means that the process has ended; half a frame is lost.
func (p *process) receive() (kind byte, payload []byte, err error) {
	for {
		rest := p.in[p.used:]
		if length := frameLength(rest); length > maxFrame {
			return 0, nil, errFrame
		} else if length > 0 && len(rest) >= headLength+length {
			p.used += headLength + length
			return rest[headLength], rest[headLength+1 : headLength+length], nil
		}
		p.in = append(p.in[:0], rest...)
		p.used = 0
		if err := p.read(); err != nil {
			return 0, nil, err
		}
	}
}

// buffered reports whether a whole frame has been read that receive has not
// returned.
func (p *process) buffered() bool {
	length := frameLength(p.in[p.used:])
	return length > maxFrame || length > 0 && len(p.in)-p.used >= headLength+length
}

// maxKept is how large a buffer is kept for the next file.
const maxKept = 1 << 20

// shrink gives up a large buffer of which all was handed out and used.
func (p *process) shrink() {
	if p.used == len(p.in) && cap(p.in) > maxKept {
		p.in, p.used = nil, 0
	}
}

// frameLength is the length that the frame at the start of b says it has: 0 if
// that is not there yet, more than maxFrame if it makes no sense.
func frameLength(b []byte) int {
	if len(b) < headLength {
		return 0
	}
	length := int(binary.LittleEndian.Uint32(b))
	if length == 0 {
		return maxFrame + 1
	}
	return length
}

// read reads some more. The buffer grows with what has come, not with what was
// announced.
func (p *process) read() error {
	if cap(p.in)-len(p.in) < 16<<10 {
		p.in = append(make([]byte, 0, max(64<<10, 2*cap(p.in))), p.in...)
	}
	for {
		if len(p.unsent) > 0 {
			readable, err := p.sendRest()
			if err := p.wait(err); err != nil {
				return err
			}
			if !readable {
				continue
			}
		}
		if err := p.results.SetReadDeadline(time.Now().Add(watchEvery)); err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		n, err := p.results.Read(p.in[len(p.in):cap(p.in)])
		p.in = p.in[:len(p.in)+n]
		if err := p.wait(err); err != nil || n > 0 {
			return err
		}
	}
}

// sendRest waits until the worker takes some of unsent, or has something to
// read, or until the next look at it.
func (p *process) sendRest() (readable bool, err error) {
	out, err := p.requests.SyscallConn()
	if err != nil {
		return false, err
	}
	in, err := p.results.SyscallConn()
	if err != nil {
		return false, err
	}
	var inner, pumped error
	outer := out.Control(func(w uintptr) {
		inner = in.Control(func(r uintptr) {
			readable, pumped = p.pump(int(w), int(r))
		})
	})
	return readable, cmp.Or(outer, inner, pumped)
}

func (p *process) pump(requests, results int) (readable bool, err error) {
	fds := []unix.PollFd{{Fd: int32(requests), Events: unix.POLLOUT}, {Fd: int32(results), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, int(watchEvery.Milliseconds())); err != nil && err != unix.EINTR {
		return false, os.NewSyscallError("poll", err)
	}
	if fds[1].Revents != 0 { // first what a dead worker has left
		return true, nil
	}
	if fds[0].Revents == 0 {
		return false, nil
	}
	n, err := unix.Write(requests, p.unsent) // does not block
	if p.unsent = p.unsent[max(0, n):]; len(p.unsent) == 0 || err == unix.EPIPE {
		p.unsent = nil
	}
	if err == unix.EINTR || err == unix.EAGAIN || err == unix.EPIPE {
		err = nil
	}
	return false, err
}

// enlarge makes room for most files, so that writing one does not wait for the
// worker to read it. It is permitted up to a limit for each user, and no matter
// if refused.
func enlarge(pipe *os.File) {
	if c, err := pipe.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}
