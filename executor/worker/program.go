//go:build linux

package worker

import (
	"os"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// A Program is what worker processes do. Both sides have the same one, because
// both are the same program.
type Program struct {
	// NewExecutor makes the executor of that name. It is called in the worker.
	NewExecutor func(name string, limits executor.Limits) (executor.Executor, error)
	// NewParser makes a parser for rules; options are Options.Parsing. It is
	// called in the worker, again whenever rules were added.
	NewParser func(rules []*executor.Rule, options []byte) (Parser, error)
	// FileErrors are those errors of a parser that the parent can tell apart by
	// errors.Is. Of others only the text gets there.
	FileErrors []error
}

// A Parser parses one file after the other. A file, with a tree that knows the
// matches of the rules, is valid until the next call.
type Parser interface {
	Parse(path string, language executor.Language, text string) (*executor.File, error)
	// Parsed is what the last file took.
	Parsed() executor.Parsed
	Close() error
}

// The worker's files. Standard output and error go to a file of memory, from
// which the parent takes V8's last words.
const (
	requestsFD = 0
	resultsFD  = 3
	pageFD     = 4
)

// workerName is the worker's name in lists of processes; workerMark is its only
// argument.
const (
	workerName = "ddsabench worker"
	workerMark = "worker of a ddsabench executor, not to be started by hand"
)

// program is set by Main, before New can be called.
var program *Program

// Main is the worker process's main function, and does not return there. In any
// other process it only notes that workers can be started. Call it once, first
// thing in main and in TestMain.
func Main(p Program) {
	if !isWorker() {
		program = &p
		return
	}
	os.Exit(serve(&p))
}

func isWorker() bool {
	if len(os.Args) != 2 || os.Args[0] != workerName || os.Args[1] != workerMark {
		return false
	}
	page, err := os.Readlink("/proc/self/fd/4")
	return err == nil && strings.HasPrefix(page, "/memfd:"+pageName)
}
