package executor

import (
	"context"
	"errors"
	"time"
)

// DefaultWindow is the number of files that a job may be ahead of the slowest
// one: at 3 ms a file a worker can be held up for some 12 s before the others
// wait for it. The results that wait take some 10 MB at 20 rules a file.
const DefaultWindow = 4096

// A Job is what a Pool runs: files, known by their index, and the rules of each
// language.
type Job struct {
	// Files is the number of files; their indices are 0 to Files-1. Workers
	// take them in this order, one at a time, as they become free.
	Files int
	// Rules are run over each file of their language, in order, on the worker
	// that loaded the file.
	Rules map[Language][]*Rule
	// Load reads and parses a file. It is called on the worker's thread, by
	// several workers at once; worker (0 to Workers()-1) tells them apart, so
	// that each can have a parser of its own. The file has to be valid until
	// the worker's next call. With an error, the file's path and language are
	// still used if a file is returned. A file for a FileExecutor needs no tree.
	Load func(ctx context.Context, worker, index int) (*File, error)
	// Emit receives the results in the order of the files' indices, one call
	// at a time, on Run's goroutine. An error ends the job.
	Emit func(*FileResult) error
	// Window bounds how many files may be taken beyond those emitted;
	// 0 means DefaultWindow. It bounds the memory of results that wait.
	Window int
}

func (j Job) check() error {
	switch {
	case j.Files < 0:
		return errors.New("executor: a job's number of files is negative")
	case j.Window < 0:
		return errors.New("executor: a job's window is negative")
	case j.Load == nil || j.Emit == nil:
		return errors.New("executor: a job needs Load and Emit")
	}
	return nil
}

// A FileResult is what became of one file. It is its receiver's to keep.
type FileResult struct {
	Index    int
	Path     string
	Language Language
	// Err is Load's error, or says why a FileExecutor could not parse the file;
	// no rule ran then.
	Err error
	// Results has one entry for each rule of the language, in order.
	Results []PairResult
	// Load is the time that Load took, and a FileExecutor's parsing.
	Load time.Duration
	// Parsed is the part of Load that a FileExecutor spent.
	Parsed Parsed
}

// A PairResult is what became of one rule on one file.
type PairResult struct {
	Rule   *Rule
	Result Result
	// Err is nil or an *Error.
	Err error
}
