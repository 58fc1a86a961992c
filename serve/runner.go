package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench/executor"
)

// A Runner runs programs over files, one at a time, with one executor. Stats
// may be called at any time; the rest belongs to one goroutine.
type Runner interface {
	// Run returns what became of each rule of the program, in order. An error
	// is the whole file's: it cannot be parsed, a query does not compile (a
	// syntax.QueryErrors), the executor is executor.ErrUnusable, or ctx has
	// ended.
	Run(ctx context.Context, p *Program, path string, language executor.Language, text string) ([]executor.PairResult, error)
	Stats() executor.Stats
	Close() error
}

// NewRunner returns a Runner around an executor, which it closes. One that is
// an executor.FileExecutor gets whole files, and parses in its own process.
func NewRunner(ex executor.Executor) Runner {
	if files, ok := ex.(executor.FileExecutor); ok {
		return processRunner{files}
	}
	return threadRunner{ex}
}

type threadRunner struct{ executor.Executor }

func (r threadRunner) Run(
	ctx context.Context, p *Program, path string, language executor.Language, text string,
) ([]executor.PairResult, error) {
	parser, err := p.NewParser()
	if err != nil {
		return nil, err
	}
	defer parser.Close() // frees memory, cannot fail
	file, err := parser.Parse(path, language, text)
	if err != nil {
		return nil, err
	}
	ex, leave := executor.Stay(r.Executor)
	defer leave()
	results := make([]executor.PairResult, len(p.Rules))
	bytes := 0
	for i, rule := range p.Rules {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		results[i].Rule = rule
		if bytes > maxResults {
			continue // whole says so
		}
		results[i].Result, results[i].Err = ex.Execute(ctx, rule, file)
		bytes += size(&results[i])
	}
	return whole(results, path)
}

// maxResults bounds what is kept of one file's results, in about bytes. What
// comes from a worker process has a bound of its own before.
const maxResults = 8 << 20

var errLarge = fmt.Errorf("the file's results together are larger than %d MiB", maxResults>>20)

// each is about what a violation, fix or edit, or a rule without any, takes as a
// result and in the answer together, texts apart.
const each = 256

// size is about how many bytes a result takes. What a script threw can be as
// large as what it printed.
func size(p *executor.PairResult) int {
	n := length(p.Result.Output)
	var failed *executor.Error
	if errors.As(p.Err, &failed) {
		n += length(failed.Detail)
	}
	for _, v := range p.Result.Violations {
		n += each + length(v.Message)
		for _, f := range v.Fixes {
			n += each + length(f.Description)
			for _, e := range f.Edits {
				n += each + length(e.Kind)
				if e.Content != nil {
					n += length(*e.Content)
				}
			}
		}
	}
	return n
}

// length is about how many bytes a text takes as JSON, which has six for a
// control character.
func length(text string) int {
	n := len(text)
	for i := range len(text) {
		if text[i] < ' ' {
			n += 5
		}
	}
	return n
}

// whole returns results, up to maxResults, unless one was cut short: executors
// look at the context's deadline by the clock, and can be ahead of its Err.
func whole(results []executor.PairResult, path string) ([]executor.PairResult, error) {
	bytes := 0
	for i := range results {
		p := &results[i]
		if errors.Is(p.Err, executor.ErrCancelled) || errors.Is(p.Err, executor.ErrClosed) {
			return nil, p.Err
		}
		if bytes += size(p); bytes > maxResults {
			p.Result = executor.Result{Entered: p.Result.Entered, Elapsed: p.Result.Elapsed}
			p.Err = &executor.Error{
				Outcome: executor.Script, Rule: p.Rule.Name, File: path, Detail: errLarge.Error(), Err: errLarge,
			}
		}
	}
	return results, nil
}

type processRunner struct{ executor.FileExecutor }

// alive says that there is a process: one that died is replaced when the next
// file comes.
func (r processRunner) alive() bool {
	p, ok := r.FileExecutor.(interface{ PID() int })
	return ok && p.PID() != 0
}

// resident is the memory of a processRunner's or an executor's worker process,
// in bytes; 0 if there is none.
func resident(of any) uint64 {
	if r, ok := of.(processRunner); ok {
		of = r.FileExecutor
	}
	if p, ok := of.(interface{ Resident() uint64 }); ok {
		return p.Resident()
	}
	return 0
}

func (r processRunner) Run(
	ctx context.Context, p *Program, path string, language executor.Language, text string,
) ([]executor.PairResult, error) {
	// The worker process would say only that the file failed, not which query
	// does not compile.
	if err := p.compiled(); err != nil {
		return nil, err
	}
	file := &executor.File{Path: path, Language: language, Text: text}
	result, err := executor.ExecuteFile(ctx, r, file, p.Rules)
	if err := cmp.Or(ctx.Err(), err, result.Err); err != nil {
		return nil, err
	}
	return whole(result.Results, path)
}
