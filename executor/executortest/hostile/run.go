package hostile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/syntax"
)

// A Report is how a script ended.
type Report struct {
	// Ending is an outcome of package executor, NotStopped or Aborts.
	Ending string `json:"ending"`
	// Detail is what the executor or V8 said of it.
	Detail string `json:"detail,omitempty"`
	// Took is the time from the start of the execution to its end.
	Took time.Duration `json:"took"`
	// Next is "" if the known good rule found afterwards what it should, or else
	// what was wrong. With an ending that leaves no process to run it in, it is
	// "" too.
	Next string `json:"next,omitempty"`
}

// Known is a rule that is known to be good: what it finds in a file depends on
// the intrinsics that hostile scripts change.
var Known = &executor.Rule{
	Name: "known/good", Language: executor.JavaScript, Severity: executor.SeverityWarning,
	Query: `((identifier) @name (#match? @name "^bad"))`,
	Code: `function visit(match) {
		const name = match.get("name");
		const text = [..."go to " + name.text.replace(/bad(\d)/, "good$1")].map((c) => c.toUpperCase()).join("");
		console.log(JSON.stringify({ text }));
		addError(Violation.new(text, name).addFix(buildFix("f", [buildEditRemove(name.start.line, name.start.col, name.end.line, name.end.col)])));
	}`,
}

const (
	goodText  = "let ok = 1;\nlet bad1 = \"ä\", bad22 = bad1;\n"
	goodFound = `{"text":"GO TO GOOD1"}
{"text":"GO TO GOOD22"}
{"text":"GO TO GOOD1"}
2:5 GO TO GOOD1
2:17 GO TO GOOD22
2:25 GO TO GOOD1`
)

// target is the file that hostile scripts run on.
var target = strings.Repeat("f(1, \"two\", [3]);\nlet x = (a) => a + 1;\n", 400)

// Run runs s on e, then the known good rule. An error means that the suite
// itself does not work. It may be called from any goroutine that may use e.
func Run(ctx context.Context, e executor.Executor, s *Script) (Report, error) {
	return run(ctx, e, s, func(string) error { return nil })
}

// run calls mark with started just before the script runs, and with ended just
// after it.
func run(ctx context.Context, e executor.Executor, s *Script, mark func(string) error) (Report, error) {
	set, err := syntax.Compile([]*executor.Rule{s.Rule, Known})
	if err != nil {
		return Report{}, err
	}
	defer set.Close()
	options := syntax.DefaultOptions()
	options.PassBudget, options.PassBudgetPerKB = 10*time.Millisecond, 0 // broad queries need not be waited for
	parser := set.NewParser(options)
	defer parser.Close()
	file, err := parser.Parse("hostile.js", executor.JavaScript, target)
	if err != nil {
		return Report{}, err
	}
	if err := mark(started); err != nil {
		return Report{}, err
	}
	begin := time.Now()
	_, err = e.Execute(ctx, s.Rule, file)
	r := Report{Ending: executor.OK.String(), Took: time.Since(begin)}
	if err := mark(ended); err != nil {
		return Report{}, err
	}
	if err != nil {
		var failure *executor.Error
		if !errors.As(err, &failure) {
			return Report{}, err
		}
		r.Ending, r.Detail = failure.Outcome.String(), failure.Detail
	}
	file, err = parser.Parse("good.js", executor.JavaScript, goodText)
	if err != nil {
		return Report{}, err
	}
	r.Next = next(ctx, e, file)
	return r, nil
}

// next runs the known good rule and says what is wrong, if anything. On a busy
// machine its time may really be up; then it is asked again.
func next(ctx context.Context, e executor.Executor, file *executor.File) string {
	res, err := e.Execute(ctx, Known, file)
	for range 100 {
		var failure *executor.Error
		if !errors.As(err, &failure) || failure.Elapsed < failure.Limit ||
			failure.Outcome != executor.Timeout && failure.Outcome != executor.Hung {
			break
		}
		res, err = e.Execute(ctx, Known, file)
	}
	if err != nil {
		return err.Error()
	}
	if got := show(res); got != goodFound {
		return fmt.Sprintf("found %q", got)
	}
	return ""
}

func show(res executor.Result) string {
	lines := []string{res.Output}
	for _, v := range res.Violations {
		lines = append(lines, fmt.Sprintf("%d:%d %s", v.Start.Line, v.Start.Col, v.Message))
	}
	return strings.Join(lines, "\n")
}
