//go:build linux

package ddsabench

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/worker"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/syntax"
)

// WorkerMain lets the program start itself as a worker process. Call it first
// thing in main, and in TestMain; in a worker process it does not return.
// Without it there is no NewIsolated.
func WorkerMain() {
	worker.Main(worker.Program{
		NewExecutor: NewArm,
		NewParser:   newWorkerParser,
		FileErrors:  []error{syntax.ErrParseTimeout, syntax.ErrTooDeep},
	})
}

// NewIsolated makes the executor that the decision names, in a worker process
// of its own: a script that V8 cannot stop, or that takes it down, costs no
// more than its own result. It parses files itself, so a file needs path,
// language and text only. Rules are those that will run. The executor must be
// closed.
//
// The error is worker.ErrNoMain if main does not call WorkerMain, and
// executor.ErrUnusable if no worker process starts.
func NewIsolated(decision flags.Decision, limits executor.Limits, rules []*executor.Rule) (executor.FileExecutor, error) {
	return NewArmIsolated(string(decision.Value), limits, rules, syntax.DefaultOptions())
}

// NewArmIsolated is NewArm in a worker process, with a parser's options. Change
// alters the worker's options, which otherwise are worker.DefaultOptions.
func NewArmIsolated(
	arm string, limits executor.Limits, rules []*executor.Rule, parsing syntax.Options, change ...func(*worker.Options),
) (executor.FileExecutor, error) {
	if err := CheckArm(arm); err != nil {
		return nil, err
	}
	o := worker.DefaultOptions(arm, limits)
	o.Rules = rules
	if o.ParseLimit = parsing.ParseTimeout; o.ParseLimit > 0 {
		o.ParseLimit += parsing.PassBudget
	}
	var err error
	if o.Parsing, err = json.Marshal(parsing); err != nil {
		return nil, fmt.Errorf("ddsabench: %w", err)
	}
	for _, c := range change {
		c(&o)
	}
	ex, err := worker.New(o)
	if err != nil {
		return nil, err // and no executor, not even a nil one in an interface
	}
	return ex, nil
}

// A workerParser is the parser of a worker process.
type workerParser struct {
	*syntax.Parser
	set *syntax.Set
}

func newWorkerParser(rules []*executor.Rule, options []byte) (worker.Parser, error) {
	var parsing syntax.Options
	if err := json.Unmarshal(options, &parsing); err != nil {
		return nil, fmt.Errorf("ddsabench: options of a parser: %w", err)
	}
	set, err := syntax.Compile(rules)
	if err != nil {
		return nil, err
	}
	return workerParser{set.NewParser(parsing), set}, nil
}

// Parsed implements worker.Parser.
func (p workerParser) Parsed() executor.Parsed {
	cost := p.Cost()
	return executor.Parsed{Parse: cost.Parse, Match: cost.Pass}
}

// Close implements worker.Parser.
func (p workerParser) Close() error {
	return errors.Join(p.Parser.Close(), p.set.Close())
}
