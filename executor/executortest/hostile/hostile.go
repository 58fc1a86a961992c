// Package hostile is a suite of rules that try to take the analyzer down: each
// one a script of its own, with what it tries and how it must end. A rule may
// lose its own result and nothing else, so after each of them a rule that is
// known to be good must find on the same executor what it always finds.
//
// Run runs one script on an executor. Child and Attempt do that in a process of
// its own, for scripts that executors cannot stop inside their own process. The
// package picks no executor and prints nothing.
package hostile

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// The endings that are no outcome of an executor's.
const (
	// NotStopped says that a script was still running some time after its limit:
	// it is in a built-in function that does not look whether it should stop.
	NotStopped = "not stopped"
	// Aborts says that the script ended its process.
	Aborts = "aborts"
)

// A Script is one hostile rule.
type Script struct {
	// Name is the file's, Tries its first line.
	Name, Tries string
	// InProcess are the endings that are right when the executor runs in the
	// process at hand, InWorker those in a worker process: outcomes of package
	// executor, NotStopped, Aborts. A script that should end otherwise may also
	// run out of time: that depends on the machine.
	InProcess, InWorker []string
	Rule                *executor.Rule
}

// InProcessHolds says that executors stop the script within their own process.
func (s *Script) InProcessHolds() bool {
	return !slices.Contains(s.InProcess, NotStopped) && !slices.Contains(s.InProcess, Aborts)
}

// Limits are the limits that the suite is made for: the usual ones, and a heap
// that is soon full.
func Limits(timeout time.Duration) executor.Limits {
	l := executor.DefaultLimits()
	l.Timeout, l.Heap = timeout, 64<<20
	return l
}

//go:embed scripts/*.js
var files embed.FS

// Scripts returns the suite, sorted by name. It may be called from any
// goroutine; each call gives new rules.
func Scripts() []*Script {
	entries, err := files.ReadDir("scripts")
	if err != nil {
		panic(err) // the files are in the binary
	}
	var all []*Script
	for _, e := range entries {
		text, err := files.ReadFile("scripts/" + e.Name())
		if err != nil {
			panic(err)
		}
		s, err := parse(strings.TrimSuffix(e.Name(), path.Ext(e.Name())), string(text))
		if err != nil {
			panic(err) // a test reads them all
		}
		all = append(all, s)
	}
	return all
}

// Named returns the script of that name.
func Named(name string) (*Script, error) {
	all := Scripts()
	i := slices.IndexFunc(all, func(s *Script) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no hostile script is called %q", name)
	}
	return all[i], nil
}

// parse reads a script with its head: a line that says what it tries, then keys.
//
//	// Loops with an empty body.
//	// In process: timeout
//	// In a worker: timeout       (if it is left out: as in process,
//	                              but hung for not stopped, and crashed or memory
//	                              for aborts)
//	// Query: (program) @p        (this one if it is left out)
func parse(name, text string) (*Script, error) {
	s := &Script{Name: name, Rule: &executor.Rule{
		Name: "hostile/" + name, Language: executor.JavaScript, Severity: executor.SeverityError,
		Query: "(program) @p", Code: text,
	}}
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		comment = strings.TrimSuffix(comment, "\n")
		key, value, _ := strings.Cut(comment, ": ")
		switch {
		case s.Tries == "":
			s.Tries = comment
		case key == "In process":
			s.InProcess = strings.Split(value, " or ")
		case key == "In a worker":
			s.InWorker = strings.Split(value, " or ")
		case key == "Query":
			s.Rule.Query = value
		default:
			return nil, fmt.Errorf("script %s: unknown line %q", name, comment)
		}
	}
	if s.Tries == "" || s.InProcess == nil {
		return nil, fmt.Errorf("script %s does not say what it tries, or how it ends", name)
	}
	if s.InWorker == nil {
		for _, ending := range s.InProcess {
			s.InWorker = append(s.InWorker, supervised(ending)...)
		}
	}
	return s, nil
}

// supervised is what becomes of an ending where a worker process is watched
// from outside.
func supervised(ending string) []string {
	switch ending {
	case NotStopped:
		return []string{executor.Hung.String()}
	case Aborts:
		return []string{executor.Crashed.String(), executor.Memory.String()}
	}
	return []string{ending}
}
