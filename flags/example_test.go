package flags_test

import (
	"fmt"

	"github.com/ddsabench/ddsabench/flags"
)

func ExampleEvaluate() {
	// In a program: flags.Inputs{Environment: os.Getenv(flags.Env)}.
	decision := flags.Evaluate(flags.Inputs{Environment: "ddsa"})
	fmt.Println(decision.Value, decision.Reason)

	// An option wins over the environment.
	fmt.Println(flags.Evaluate(flags.Inputs{Option: "legacy", Environment: "ddsa"}))

	// A wrong value leads to the default, and an error for whoever wants it.
	decision = flags.Evaluate(flags.Inputs{Environment: "fast"})
	fmt.Println(decision.Value, decision.Reason, decision.ErrorCode)
	fmt.Println(decision.Err)
	// Output:
	// ddsa STATIC
	// legacy (option ddsa-runtime)
	// legacy ERROR PARSE_ERROR
	// environment DDSA_RUNTIME: unknown runtime "fast"; use legacy or ddsa
}
