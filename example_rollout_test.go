package ddsabench_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/shadow"
	"github.com/ddsabench/ddsabench/syntax"
)

// javaScript compiles the built-in rules for JavaScript.
func javaScript() ([]*executor.Rule, *syntax.Set, error) {
	sets, err := rules.Builtin()
	if err != nil {
		return nil, nil, err
	}
	js := rules.ByLanguage(sets, executor.JavaScript)
	queries, err := syntax.Compile(js)
	return js, queries, err
}

// A service that keeps an executor of each kind picks one for each request, by
// who asks. The setting can change at any time; an executor's kind never does.
func ExampleNew_perRequest() {
	evaluator := flags.New(flags.Config{Environment: "10%"}) // or flags.FromEnvironment()
	defer evaluator.Close()
	executors := map[flags.Runtime]executor.Executor{}
	for _, decision := range []flags.Decision{{Value: flags.Legacy}, {Value: flags.DDSA}} {
		ex, err := ddsabench.New(decision, executor.DefaultLimits())
		if err != nil {
			fmt.Println(err)
			return
		}
		defer ex.Close()
		executors[decision.Value] = ex
	}

	for _, repository := range []string{"blog", "shop"} {
		decision := evaluator.Evaluate(repository)
		fmt.Println(repository, executors[decision.Value].Name(), decision.Reason)
	}
	// Output:
	// blog ddsa SPLIT
	// shop legacy SPLIT
}

// In the shadow, the other executor runs the same rules on a worker of its own
// after the answer is there, and what it found is compared.
func ExampleNewShadow() {
	js, queries, err := javaScript()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer queries.Close()
	decision := flags.New(flags.Config{Option: "shadow", ShadowSample: "1"}).Evaluate("shop")
	ex, err := ddsabench.New(decision, executor.DefaultLimits()) // legacy: it answers
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ex.Close()
	comparer := ddsabench.NewShadow(decision, executor.DefaultLimits(), shadow.Config{}) // ddsa: it is compared
	defer comparer.Close()
	var sampler shadow.Sampler // one for all answers

	parser := queries.NewParser(syntax.DefaultOptions())
	defer parser.Close()
	file, err := parser.Parse("a.js", executor.JavaScript, "var x = 1;\nif (x == 2) debugger;\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	results := make([]executor.PairResult, len(js))
	for i, rule := range js {
		results[i].Rule = rule
		results[i].Result, results[i].Err = ex.Execute(context.Background(), rule, file)
	}
	if decision.Compared() && sampler.Pick(decision.ShadowSample) {
		comparer.Offer(shadow.Answer{
			Path: file.Path, Language: file.Language, Text: file.Text, Results: results,
			NewParser: func() shadow.Parser { return queries.NewParser(syntax.DefaultOptions()) },
		})
	}
	fmt.Println("answered by", ex.Name()) // without waiting for the shadow

	if err := comparer.Drain(context.Background()); err != nil {
		fmt.Println(err)
	}
	counts := comparer.Counts()
	fmt.Println(counts.Files, "file and", counts.Pairs, "pairs compared,", counts.Total(), "mismatches")
	// Output:
	// answered by legacy
	// 1 file and 7 pairs compared, 0 mismatches
}

// A counted executor tells each outcome to a program's own metrics. What is
// counted anyway is in Stats, Comparer.Counts and Evaluator.Status.
type counted struct {
	executor.Executor
	count func(ex, outcome string, seconds float64)
}

func (c counted) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	result, err := c.Executor.Execute(ctx, rule, file)
	outcome, elapsed := executor.OK, result.Elapsed
	var failed *executor.Error
	if errors.As(err, &failed) {
		outcome, elapsed = failed.Outcome, failed.Elapsed
	}
	c.count(c.Name(), outcome.String(), elapsed.Seconds())
	return result, err
}

// Metrics: an executor is an interface, so it is wrapped.
func Example_metrics() {
	js, queries, err := javaScript()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer queries.Close()
	ex, err := ddsabench.New(flags.New(flags.Config{Option: "ddsa"}).Evaluate(""), executor.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ex.Close()
	outcomes := map[string]int{}
	ex = counted{ex, func(ex, outcome string, _ float64) { outcomes[ex+" "+outcome]++ }}

	parser := queries.NewParser(syntax.DefaultOptions())
	defer parser.Close()
	file, err := parser.Parse("a.js", executor.JavaScript, "var x = 1;\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range js {
		if _, err := ex.Execute(context.Background(), rule, file); err != nil {
			fmt.Println(err)
		}
	}
	stats := ex.Stats()
	fmt.Println(outcomes, "entered V8:", stats.Executions, "watchdogs:", stats.WatchdogsStarted)
	// Output:
	// map[ddsa ok:7] entered V8: 1 watchdogs: 1
}
