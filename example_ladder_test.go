package ddsabench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/shadow"
	"github.com/ddsabench/ddsabench/syntax"
)

// A service that goes the whole way of docs/rollout.md with one file, and
// without a restart. The file may come to ask for either executor and for
// either comparison, so all four are there from the start. NewShadow is not for
// this: it is nil where the first decision compares nothing.
func Example_ladder() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := climb(filepath.Join(dir, "flag.yaml")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// legacy (file DDSA_RUNTIME_FILE), pairs compared: 0, mismatches: 0
	// legacy, compared with ddsa (file DDSA_RUNTIME_FILE), pairs compared: 7, mismatches: 0
	// ddsa (file DDSA_RUNTIME_FILE: 10%), pairs compared: 0, mismatches: 0
	// ddsa, compared with legacy (file DDSA_RUNTIME_FILE), pairs compared: 7, mismatches: 0
	// legacy (kill switch in DDSA_RUNTIME_FILE), pairs compared: 0, mismatches: 0
}

// A service is what one worker has. Several workers have executors and a parser
// each, and share the rest.
type service struct {
	flag      *flags.Evaluator
	rules     []*executor.Rule
	queries   *syntax.Set
	parser    *syntax.Parser
	executors map[flags.Runtime]executor.Executor
	comparers map[flags.Runtime]*shadow.Comparer // by the executor that runs again
	sampler   shadow.Sampler
}

func climb(file string) error {
	sets, err := rules.Builtin()
	if err != nil {
		return err
	}
	s := service{
		rules:     rules.ByLanguage(sets, executor.JavaScript),
		executors: map[flags.Runtime]executor.Executor{},
		comparers: map[flags.Runtime]*shadow.Comparer{},
	}
	if s.queries, err = syntax.Compile(s.rules); err != nil {
		return err
	}
	defer s.queries.Close()
	s.parser = s.queries.NewParser(syntax.DefaultOptions())
	defer s.parser.Close()
	for _, kind := range []flags.Runtime{flags.Legacy, flags.DDSA} {
		newExecutor := func() (executor.Executor, error) { return ddsabench.NewArm(string(kind), executor.DefaultLimits()) }
		ex, err := newExecutor()
		if err != nil {
			return err
		}
		defer ex.Close()
		s.executors[kind] = ex
		// Its own executor is made with the first file that is compared.
		s.comparers[kind] = shadow.New(shadow.Config{NewExecutor: newExecutor})
		defer s.comparers[kind].Close()
	}

	changed := make(chan flags.Status)
	for i, step := range []string{"runtime: legacy", "runtime: shadow", "runtime: 10%", "runtime: live", "runtime: live\nkill: true"} {
		// In one go, so that nobody reads half a file.
		if err := os.WriteFile(file+".new", []byte(step+"\nshadow-sample: 1\n"), 0o600); err != nil {
			return err
		}
		if err := os.Rename(file+".new", file); err != nil {
			return err
		}
		if i > 0 {
			<-changed // a service does not wait: its requests go on
		} else {
			s.flag = flags.New(flags.Config{File: file, OnChange: func(now flags.Status) { changed <- now }})
			defer s.flag.Close()
		}
		if err := s.request("blog", "var x = 1;\n"); err != nil {
			return err
		}
	}
	return nil
}

// request decides who answers, has them do it, and offers the answer to the
// other one's comparer.
func (s *service) request(repository, text string) error {
	decision := s.flag.Evaluate(repository) // once: it may be another one a line later
	file, err := s.parser.Parse("a.js", executor.JavaScript, text)
	if err != nil {
		return err
	}
	results := make([]executor.PairResult, len(s.rules))
	for i, rule := range s.rules {
		results[i].Rule = rule
		results[i].Result, results[i].Err = s.executors[decision.Value].Execute(context.Background(), rule, file)
	}
	comparer := s.comparers[decision.Value.Other()]
	before := comparer.Counts()
	if decision.Compared() && s.sampler.Pick(decision.ShadowSample) {
		comparer.Offer(shadow.Answer{
			Path: file.Path, Language: file.Language, Text: file.Text, Results: results,
			NewParser: func() shadow.Parser { return s.queries.NewParser(syntax.DefaultOptions()) },
		})
	}
	// For the example's output; a service does not wait, and has counts as metrics.
	if err := comparer.Drain(context.Background()); err != nil {
		return err
	}
	n := comparer.Counts()
	fmt.Printf("%s, pairs compared: %d, mismatches: %d\n", decision, n.Pairs-before.Pairs, n.Total()-before.Total())
	return nil
}
