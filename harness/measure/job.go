package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// A JobSpec tells a child what to do.
type JobSpec struct {
	// Arm is the side of the comparison that the child runs.
	Arm         string        `json:"arm"`
	Workers     int           `json:"workers"`
	RuleTimeout time.Duration `json:"rule_timeout_ns"`
	// CorpusDigest and RulesDigest are what the child has to find, so that
	// files changed between two samples are noticed.
	CorpusDigest string `json:"corpus_sha256"`
	RulesDigest  string `json:"rules_sha256"`
	// Processes says that executors live in processes below the child's: its
	// figures are then those of the child and all processes below it.
	Processes bool `json:"processes,omitempty"`
	// Unsampled asks the parent not to look at the child while it works.
	Unsampled bool `json:"unsampled,omitempty"`
	// Findings asks for the finding of each pair, to locate a difference. Such
	// a job's times mean nothing.
	Findings bool `json:"findings,omitempty"`
	// Setup is what the command needs to open corpus and rules in the child;
	// only the command reads it.
	Setup json.RawMessage `json:"setup,omitempty"`
}

// An Env is what a job works with.
type Env struct {
	// Files is the number of files, Entry and Read give them by index. Read
	// may fill buf or return memory of its own; it is called by several
	// goroutines at once.
	Files        int
	Entry        func(i int) (language executor.Language, path string)
	Read         func(i int, buf []byte) ([]byte, error)
	CorpusDigest string

	// Rules are the rules of each language, in the order in which they run.
	Rules       map[executor.Language][]*executor.Rule
	RulesDigest string

	// NewParser makes a worker's parser, NewExecutor its executor.
	NewParser   func() (Parser, error)
	NewExecutor func() (executor.Executor, error)
}

// A Parser parses files for one worker. The file that it returns is valid
// until its next call.
type Parser interface {
	Parse(path string, language executor.Language, text []byte) (*executor.File, error)
	// Times returns the time spent parsing, and finding matches, so far.
	Times() (parse, match time.Duration)
	Close() error
}

// Events are called while a job runs, one at a time. Any may be nil.
type Events struct {
	// Ready is called when all is made and the first file comes next.
	Ready func()
	// Progress is called now and then.
	Progress func(done, files int)
	// Finding is called for each pair that found something or did not end
	// well, if the spec asks for findings.
	Finding func(harness.Pair, harness.Finding)
}

// A worker is the state of one of the pool's workers.
type worker struct {
	parser Parser
	buf    []byte
}

// RunJob runs all rules over all files and returns the figures. It stops soon
// after ctx ends, with ctx's error.
func RunJob(ctx context.Context, spec JobSpec, env Env, events Events) (figures *harness.Figures, err error) {
	if err := sameInput(spec, env); err != nil {
		return nil, err
	}
	workers := make([]worker, spec.Workers)
	defer func() {
		for _, w := range workers {
			if w.parser != nil {
				err = errors.Join(err, w.parser.Close())
			}
		}
	}()
	for i := range workers {
		if workers[i].parser, err = env.NewParser(); err != nil {
			return nil, err
		}
	}
	pool, err := executor.NewPool(spec.Workers, env.NewExecutor)
	if err != nil {
		return nil, err
	}
	t := newTally(spec, env, events)
	if err := t.run(ctx, pool, workers); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	if err := pool.Close(); err != nil {
		return nil, err
	}
	for _, w := range workers {
		parse, match := w.parser.Times()
		t.figures.Parse += parse
		t.figures.Match += match
	}
	stats := pool.Stats()
	t.figures.Executions = stats.Executions
	t.figures.WatchdogsStarted = stats.WatchdogsStarted
	t.figures.WatchdogsEnded = stats.WatchdogsEnded
	return t.finish()
}

// sameInput refuses a corpus or rules that are not what the parent compares.
func sameInput(spec JobSpec, env Env) error {
	if env.CorpusDigest != spec.CorpusDigest {
		return fmt.Errorf("the corpus has changed while comparing: digest %s, expected %s", env.CorpusDigest, spec.CorpusDigest)
	}
	if env.RulesDigest != spec.RulesDigest {
		return fmt.Errorf("the rules have changed while comparing: digest %s, expected %s", env.RulesDigest, spec.RulesDigest)
	}
	return nil
}
