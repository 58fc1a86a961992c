//go:build linux

package worker

import (
	"fmt"
	"strings"
	"syscall"
	"unicode"

	"github.com/ddsabench/ddsabench/executor"
)

// A death is how a worker process ended.
type death struct {
	// place is where it was, seq's position if that is the open request.
	place place
	// outcome is Crashed or Memory, or what the parent killed it for.
	outcome executor.Outcome
	// detail is what killed it and what it said last.
	detail string
	// stranger says that somebody else killed it, which proves nothing against
	// what was running.
	stranger bool
}

// bury ends the process, waits for it and finds out why it ended. Nothing may
// use it afterwards.
func (p *process) bury() death {
	ours := p.killed.Load()
	p.kill() // it may have closed its pipe and live on
	state, err := p.process.Wait()
	said := lastWords(p.tail())
	d := death{place: p.page.place(), outcome: executor.Crashed}
	defer p.close()
	if err != nil {
		d.detail = err.Error()
		return d
	}
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case said != "":
		d.detail = said
		if saysMemory(said) {
			d.outcome = executor.Memory
		}
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		d.stranger = !ours
		d.detail = "killed, perhaps because memory ran out"
	case status.Signaled():
		d.detail = status.Signal().String()
	default:
		d.detail = fmt.Sprintf("exit status %d", status.ExitStatus())
	}
	return d
}

// tail is the end of what the worker wrote to standard error.
func (p *process) tail() []byte {
	size, err := p.stderr.Seek(0, 2)
	if err != nil {
		return nil
	}
	const limit = 64 << 10
	text := make([]byte, min(size, limit))
	n, _ := p.stderr.ReadAt(text, size-int64(len(text)))
	return text[:n]
}

// maxSaid bounds lastWords.
const maxSaid = 300

// lastWords finds V8's message of a fatal error in what it wrote, or else that
// of Go or C++, and makes one line of it.
func lastWords(text []byte) string {
	var v8, other []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		message, hash := strings.CutPrefix(line, "# ")
		switch {
		case hash:
			v8 = append(v8, strings.TrimPrefix(message, "Fatal error in , line 0"))
		case strings.HasPrefix(line, "SIG"), strings.HasPrefix(line, "fatal error: "), strings.HasPrefix(line, "runtime: "), strings.HasPrefix(line, "runtime/cgo: "),
			strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "terminate called"), strings.HasPrefix(line, "tree-sitter"),
			strings.Contains(line, "Sanitizer"):
			other = append(other, line)
		}
	}
	if v8 == nil {
		v8 = other[:min(len(other), 3)]
	}
	said := strings.Trim(strings.Join(v8, ": "), ": ")
	said = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, said)
	if len(said) > maxSaid {
		said = strings.ToValidUTF8(said[:maxSaid], "") + "…"
	}
	return said
}

// saysMemory reports whether last words are about memory that ran out.
func saysMemory(said string) bool {
	said = strings.ToLower(said)
	for _, sign := range []string{
		"oom", "out of memory", "cannot allocate memory", "allocation failed", "failed to allocate", "bad_alloc", "failed to reserve memory",
		"reservation_.setpermissions", // V8, where mprotect has no memory
	} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}
