package ddsabench_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/syntax"
)

// The environment's flag picks the executor; a rule then runs over a file under
// a time limit.
func ExampleNew() {
	sets, err := rules.Builtin()
	if err != nil {
		fmt.Println(err)
		return
	}
	js := rules.ByLanguage(sets, executor.JavaScript)
	queries, err := syntax.Compile(js)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer queries.Close()
	parser := queries.NewParser(syntax.DefaultOptions())
	defer parser.Close()

	evaluator := flags.New(flags.FromEnvironment())
	defer evaluator.Close()
	decision := evaluator.Evaluate("example")
	ex, err := ddsabench.New(decision, executor.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ex.Close()

	file, err := parser.Parse("a.js", executor.JavaScript, "var x = 1;\nif (x == 2) debugger;\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range js {
		result, err := ex.Execute(context.Background(), rule, file)
		if errors.Is(err, executor.ErrTimeout) {
			continue // this rule took too long on this file; the next execution is as good as new
		}
		for _, v := range result.Violations {
			fmt.Printf("%d:%d %s\n", v.Start.Line, v.Start.Col, v.Message)
		}
	}
	// Output:
	// 2:7 Use ===, which does not convert its operands.
	// 2:13 Remove this debugger statement.
	// 1:1 Declare this variable with const, or with let if it changes.
}
