package flags_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ddsabench/ddsabench/flags"
)

func ExampleNew() {
	// In a program: flags.New(flags.FromEnvironment()).
	evaluator := flags.New(flags.Config{Environment: "25%"})
	defer evaluator.Close()
	for _, repository := range []string{"shop", "blog", "search"} {
		fmt.Println(repository, evaluator.Evaluate(repository))
	}

	// A wrong value leads to the default, and an error for whoever wants it.
	decision := flags.New(flags.Config{Environment: "fast"}).Evaluate("shop")
	fmt.Println(decision.Value, decision.Reason, decision.ErrorCode)
	fmt.Println(decision.Err)
	// Output:
	// shop legacy (environment DDSA_RUNTIME: 25%)
	// blog ddsa (environment DDSA_RUNTIME: 25%)
	// search legacy (environment DDSA_RUNTIME: 25%)
	// legacy ERROR PARSE_ERROR
	// environment DDSA_RUNTIME: unknown runtime "fast"; use legacy, ddsa, a share such as 5%, shadow or live
}

// A service follows a file, and tells its log what changed.
func ExampleConfig_onChange() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "runtime.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			fmt.Println(err)
		}
	}

	write("runtime: ddsa\n")
	changes := make(chan flags.Status)
	evaluator := flags.New(flags.Config{
		File:     file,
		OnChange: func(s flags.Status) { changes <- s },
	})
	defer evaluator.Close()
	fmt.Println(evaluator.Evaluate("shop"))

	write("runtime: ddsa\nkill: true\n")
	fmt.Println("told:", (<-changes).Kill)
	fmt.Println(evaluator.Evaluate("shop"))
	// Output:
	// ddsa (file DDSA_RUNTIME_FILE)
	// told: kill switch in DDSA_RUNTIME_FILE
	// legacy (kill switch in DDSA_RUNTIME_FILE)
}
