package arm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/arm"
)

func TestParse(t *testing.T) {
	for text, c := range map[string]struct {
		want      arm.Arm
		canonical string
	}{
		"ddsa":                  {arm.Arm{Executor: "ddsa"}, "ddsa"},
		"ddsa+again":            {arm.Arm{Executor: "ddsa", Again: true}, "ddsa+again"},
		"ddsa+delay=20us":       {arm.Arm{Executor: "ddsa", Delay: 20 * time.Microsecond}, "ddsa+delay=20us"},
		"ddsa+delay=1.5µs":      {arm.Arm{Executor: "ddsa", Delay: 1500}, "ddsa+delay=1.5us"},
		"x+again+delay=0.001ms": {arm.Arm{Executor: "x", Delay: 1000, Again: true}, "x+delay=1us+again"},
		"legacy+delay=1s":       {arm.Arm{Executor: "legacy", Delay: time.Second}, "legacy+delay=1s"},
		"ddsa+process":          {arm.Arm{Executor: "ddsa", Process: true}, "ddsa+process"},
		"ddsa+separate":         {arm.Arm{Executor: "ddsa", Separate: true}, "ddsa+separate"},
		"ddsa+unsampled":        {arm.Arm{Executor: "ddsa", Unsampled: true}, "ddsa+unsampled"},
		"x+again+unsampled+delay=1us+process": {
			arm.Arm{Executor: "x", Process: true, Delay: 1000, Unsampled: true, Again: true}, "x+process+delay=1us+unsampled+again",
		},
		"any text of an executor!": {arm.Arm{Executor: "any text of an executor!"}, "any text of an executor!"},
	} {
		got, err := arm.Parse(text)
		if err != nil || got != c.want || got.String() != c.canonical {
			t.Errorf("%s: %+v, %s, %v", text, got, got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "it names no executor",
		"+again":                "it names no executor",
		"ddsa+":                 `unknown modifier ""`,
		"ddsa+Process":          `unknown modifier "Process"`,
		"ddsa+process=2":        `unknown modifier "process=2"`,
		"ddsa+process+process":  "process stands there twice",
		"x+process+separate":    "process and separate do not go together",
		"a+unsampled+unsampled": "unsampled stands there twice",
		"ddsa+again=yes":        `unknown modifier "again=yes"`,
		"ddsa+again+again":      "again stands there twice",
		"ddsa+delay":            `delay "" is not a duration`,
		"ddsa+delay=0s":         `delay "0s" is not a duration`,
		"ddsa+delay=-1us":       `delay "-1us" is not a duration`,
		"ddsa+delay=2s":         `delay "2s" is not a duration above 0 and up to 1s`,
		"a+delay=1us+delay=2us": "delay stands there twice",
	} {
		got, err := arm.Parse(text)
		if err == nil || got != (arm.Arm{}) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arm.Syntax) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestTwin(t *testing.T) {
	a := arm.Arm{Executor: "ddsa", Delay: time.Microsecond}
	if twin := a.Twin(); twin.String() != "ddsa+delay=1us+again" || twin.Twin() != a {
		t.Errorf("twin %s, of which %s", twin, twin.Twin())
	}
}

// What was read and is written again reads as the same arm.
func FuzzParse(f *testing.F) {
	f.Add("ddsa+delay=20us+again")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := arm.Parse(text)
		if err != nil {
			return
		}
		if b, err := arm.Parse(a.String()); b != a || err != nil {
			t.Errorf("%q: %+v, again %+v, %v", text, a, b, err)
		}
	})
}

type fake struct {
	executor.Executor
	result executor.Result
	err    error
}

func (f fake) Execute(context.Context, *executor.Rule, *executor.File) (executor.Result, error) {
	return f.result, f.err
}

// fakeFiles executes all but the second pair of one file.
type fakeFiles struct{ fake }

func (fakeFiles) ExecuteFiles(_ context.Context, next func(bool) *executor.FileTask, done func(*executor.FileTask)) error {
	t := next(true)
	for i := range t.Result.Results {
		t.Result.Results[i].Result.Entered = i != 1
	}
	done(t)
	return nil
}

// The delay is added to executions, also to those that end in an error, and
// nothing to pairs that never entered V8.
func TestDelay(t *testing.T) {
	a := arm.Arm{Delay: 3 * time.Millisecond}
	no := errors.New("no")
	start := time.Now()
	got, err := a.Wrap(fake{result: executor.Result{Entered: true, Elapsed: time.Hour, Visits: 7}, err: no}).Execute(t.Context(), nil, nil)
	if took := time.Since(start); took < a.Delay {
		t.Errorf("took %v, want at least %v", took, a.Delay)
	}
	if !errors.Is(err, no) || got.Visits != 7 || got.Elapsed < time.Hour+a.Delay {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = a.Wrap(fake{result: executor.Result{Elapsed: 5}}).Execute(t.Context(), nil, nil)
	if err != nil || got.Elapsed != 5 {
		t.Errorf("no execution: %+v, %v", got, err)
	}
	whole := executor.Executor(fakeFiles{fake{result: executor.Result{Entered: true}}})
	wrapped, ok := a.Wrap(whole).(executor.FileExecutor)
	if !ok {
		t.Fatal("an executor of whole files does not take them any more")
	}
	if got, err = wrapped.Execute(t.Context(), nil, nil); err != nil || got.Elapsed < a.Delay {
		t.Errorf("%+v, %v", got, err)
	}
	task := &executor.FileTask{Result: &executor.FileResult{Results: make([]executor.PairResult, 3)}}
	err = wrapped.ExecuteFiles(t.Context(), func(bool) *executor.FileTask { return task }, func(*executor.FileTask) {})
	if r := task.Result.Results; err != nil || r[0].Result.Elapsed < a.Delay || r[1].Result.Elapsed != 0 || r[2].Result.Elapsed < a.Delay {
		t.Errorf("%+v, %v", r, err)
	}
	plain := &fake{}
	if arm := (arm.Arm{Again: true}); arm.Wrap(plain) != executor.Executor(plain) {
		t.Error("an arm without a delay is wrapped")
	}
}
