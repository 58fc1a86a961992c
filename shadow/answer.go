package shadow

import (
	"slices"

	"github.com/ddsabench/ddsabench/executor"
)

// An Answer is a file whose rules have been run, by the executor whose results
// count.
type Answer struct {
	Path     string
	Language executor.Language
	Text     string
	// Results are what came of the rules, in the order in which they ran. Offer
	// copies what the caller may go on to change: the slice and its slices of
	// violations. Nothing below those may be changed.
	Results []executor.PairResult
	// NewParser makes a parser that knows the rules' queries. It is called on
	// the Comparer's worker, and the parser is closed there. An executor that
	// parses itself needs none.
	NewParser func() Parser
	// Release, if it is set, is called exactly once, when the Comparer will not
	// use the Answer any more, dropped or not: what NewParser needs may end
	// then. It is called in Offer or on the worker, and must not block.
	Release func()
}

// A Parser parses one file; a syntax.Parser is one.
type Parser interface {
	Parse(path string, language executor.Language, text string) (*executor.File, error)
	Close() error
}

// own returns a copy that the caller cannot change. What is not compared is
// left out.
func (a Answer) own() Answer {
	a.Results = slices.Clone(a.Results)
	for i := range a.Results {
		r := &a.Results[i].Result
		r.Violations = slices.Clone(r.Violations)
		r.Output = ""
	}
	return a
}

// size is about how many bytes the answer holds.
func (a Answer) size() int {
	n := len(a.Text)
	for _, p := range a.Results {
		n += 200
		for _, v := range p.Result.Violations {
			n += 100 + len(v.Message)
			for _, f := range v.Fixes {
				n += 100 + len(f.Description)
				for _, e := range f.Edits {
					n += 100
					if e.Content != nil {
						n += len(*e.Content)
					}
				}
			}
		}
	}
	return n
}

func (a Answer) release() {
	if a.Release != nil {
		a.Release()
	}
}
