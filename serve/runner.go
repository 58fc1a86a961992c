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
			results[i].Err = &executor.Error{
				Outcome: executor.Script, Rule: rule.Name, File: path,
				Detail: fmt.Sprintf("the file's results together are larger than %d MiB", maxResults>>20),
			}
			continue
		}
		results[i].Result, results[i].Err = ex.Execute(ctx, rule, file)
		bytes += size(&results[i].Result)
	}
	return whole(results)
}

// maxResults bounds what is kept of one file's results, in about bytes. A worker
// process has a bound like it.
const maxResults = 64 << 20

// size is about how many bytes a result takes.
func size(r *executor.Result) int {
	const each = 64 // of a violation, fix or edit, texts apart
	n := len(r.Output)
	for _, v := range r.Violations {
		n += each + len(v.Message)
		for _, f := range v.Fixes {
			n += each + len(f.Description)
			for _, e := range f.Edits {
				n += each + len(e.Kind)
				if e.Content != nil {
					n += len(*e.Content)
				}
			}
		}
	}
	return n
}

// whole returns results, unless one was cut short: executors look at the
// context's deadline by the clock, and can be ahead of its Err.
func whole(results []executor.PairResult) ([]executor.PairResult, error) {
	for i := range results {
		if err := results[i].Err; errors.Is(err, executor.ErrCancelled) || errors.Is(err, executor.ErrClosed) {
			return nil, err
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
	return whole(result.Results)
}
