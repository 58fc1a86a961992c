package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/executor"
)

// TestMain runs the tests or, when a Runner under test started this binary,
// plays the child in the way that the second argument says.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "child" {
		if err := play(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func play(part string) error {
	if part == "relative" {
		return relative(os.Stdin, os.Stdout)
	}
	out, err := ResultFile()
	if err != nil {
		return err
	}
	switch part {
	case "good":
		return ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) { return fakeEnv(20), nil })
	case "broken":
		return ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) {
			return Env{}, errors.New("no such corpus")
		})
	case "environment":
		return ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) {
			return Env{}, errors.New(os.Getenv("MEASURE_TEST"))
		})
	case "stuck":
		return ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) {
			time.Sleep(time.Hour)
			return Env{}, nil
		})
	case "panic":
		return ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) { panic("oh dear") })
	case "late":
		// A full result, and then no clean end.
		err := ChildMain(context.Background(), os.Stdin, out, func(JobSpec) (Env, error) { return fakeEnv(1), nil })
		return errors.Join(err, errors.New("late failure"))
	case "signal":
		fmt.Fprintln(os.Stderr, "about to die")
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Fprintln(out, "<html>")
		time.Sleep(time.Hour)
	case "nothing":
		fmt.Fprintln(out, `{"ready":{}}`)
	}
	return nil
}

// The fake rules, of which "slow" times out, "broken" throws and "idle" never
// matches.
var fakeRules = map[executor.Language][]*executor.Rule{
	executor.JavaScript: {{Name: "s/odd"}, {Name: "s/broken"}, {Name: "s/idle"}},
	executor.TypeScript: {{Name: "s/slow"}, {Name: "s/odd-ts"}},
}

// fakeEnv has that many files; every fourth is TypeScript, and file 5 cannot
// be parsed.
func fakeEnv(files int) Env {
	return Env{
		Files: files,
		Entry: func(i int) (executor.Language, string) {
			if i%4 == 3 {
				return executor.TypeScript, fmt.Sprintf("f%03d.ts", i)
			}
			return executor.JavaScript, fmt.Sprintf("f%03d.js", i)
		},
		Read: func(i int, buf []byte) ([]byte, error) {
			return append(buf[:0], strings.Repeat("x", i)...), nil
		},
		CorpusDigest: "c0", RulesDigest: "d0",
		Rules:       fakeRules,
		NewParser:   func() (Parser, error) { return &fakeParser{}, nil },
		NewExecutor: func() (executor.Executor, error) { return &fakeExecutor{}, nil },
	}
}

func fakeSpec() JobSpec {
	return JobSpec{Arm: "fake", Workers: 2, CorpusDigest: "c0", RulesDigest: "d0"}
}

type fakeParser struct{ files int }

func (p *fakeParser) Parse(path string, language executor.Language, text []byte) (*executor.File, error) {
	if strings.HasPrefix(path, "f005") {
		return nil, errors.New("took too long")
	}
	p.files++
	return &executor.File{Path: path, Language: language, Text: string(text)}, nil
}

func (p *fakeParser) Times() (parse, match time.Duration) {
	return time.Duration(p.files) * time.Microsecond, time.Duration(p.files) * time.Nanosecond
}

func (p *fakeParser) Close() error { return nil }

// A fakeExecutor finds a violation in each file of odd length.
type fakeExecutor struct {
	stats  executor.Stats
	closed bool
}

func (e *fakeExecutor) Name() string { return "fake" }

func (e *fakeExecutor) Execute(_ context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	r := executor.Result{Entered: true, Visits: 2, Elapsed: 3 * time.Millisecond, InV8: time.Millisecond}
	failed := &executor.Error{Rule: rule.Name, File: file.Path}
	switch strings.TrimPrefix(rule.Name, "s/") {
	case "idle":
		return executor.Result{}, nil
	case "slow":
		failed.Outcome = executor.Timeout
	case "broken":
		failed.Outcome = executor.Script
	default:
		if len(file.Text)%2 == 1 {
			r.Violations = []executor.Violation{{Start: executor.Position{Line: 1, Col: 2}, Message: "odd"}}
		}
		failed = nil
	}
	e.stats.Executions++
	e.stats.WatchdogsStarted++
	if failed != nil {
		return r, failed
	}
	return r, nil
}

func (e *fakeExecutor) Stats() executor.Stats {
	s := e.stats
	if e.closed {
		s.WatchdogsEnded = s.WatchdogsStarted
	}
	return s
}

func (e *fakeExecutor) Close() error { e.closed = true; return nil }
