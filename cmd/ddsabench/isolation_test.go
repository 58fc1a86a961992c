package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/corpus"
)

// isolationTier is the tier that workers are killed on: small, or what
// ISOLATION_TIER names, for the long form.
func isolationTier() string {
	if tier := os.Getenv("ISOLATION_TIER"); tier != "" {
		return tier
	}
	return "small"
}

// openTier opens the tier with the built-in rules and those of extra, whose
// bodies are run for each JavaScript file.
func openTier(t *testing.T, isolation string, extra map[string]string) *workload {
	t.Helper()
	s := source{Corpus: isolationTier(), Cache: fetched(t, "ISOLATION_CACHE")}
	s.Rules.Path = filepath.Join(t.TempDir(), "rules")
	if err := os.CopyFS(s.Rules.Path, os.DirFS(filepath.Join("..", "..", "rules", "builtin"))); err != nil {
		t.Fatal(err)
	}
	for name, body := range extra {
		writeFile(t, filepath.Join(s.Rules.Path, "javascript"), name+".yaml",
			ruleFile(name, "JAVASCRIPT", "(program) @program", "function visit(match, filename, code) { "+body+" }"))
	}
	load, err := s.open()
	if errors.Is(err, corpus.ErrNotFetched) {
		t.Skipf("the tier %s is not fetched; run: ddsabench corpus fetch %[1]s", isolationTier())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(load.close)
	load.isolation = isolation
	return load
}

// outcomes are what each pair that has something to say says. Those of the
// rules in extra are only counted, by outcome.
func outcomes(t *testing.T, load *workload, limits executor.Limits, extra map[string]string, wrap func(executor.Executor) executor.Executor) (found map[string]string, counted map[executor.Outcome]int) {
	t.Helper()
	const workers = 2
	var parsers [workers]*parser
	for i := range parsers {
		parsers[i] = load.newParser()
		defer parsers[i].Close()
	}
	pool, err := executor.NewPool(workers, func() (executor.Executor, error) {
		ex, err := load.isolated("ddsa", limits)
		if err != nil || wrap == nil {
			return ex, err
		}
		return wrap(ex), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	found, counted = map[string]string{}, map[executor.Outcome]int{}
	err = pool.Run(t.Context(), executor.Job{
		Files: load.files.Len(), Rules: load.rules.byLanguage,
		Load: func(_ context.Context, worker, i int) (*executor.File, error) { return parsers[worker].file(i) },
		Emit: func(f *executor.FileResult) error {
			if f.Err != nil {
				found[f.Path] = f.Err.Error()
			}
			for _, p := range f.Results {
				var failure *executor.Error
				outcome := executor.OK
				if errors.As(p.Err, &failure) {
					outcome = failure.Outcome
				}
				_, name, _ := strings.Cut(p.Rule.Name, "/")
				if _, ours := extra[name]; ours {
					counted[outcome]++
				} else if outcome != executor.OK || len(p.Result.Violations) > 0 {
					text, err := json.Marshal(p.Result.Violations)
					if err != nil {
						return err
					}
					found[p.Rule.Name+" "+string(f.Language)+" "+f.Path] = outcome.String() + string(text)
				}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if executions := pool.Stats().Executions; executions < uint64(len(found)) {
		t.Errorf("%d executions, but %d found something", executions, len(found))
	}
	return found, counted
}

// A rule that takes V8 down, or that nothing in V8 stops, or that changes the
// prototypes, on every 50th file, changes nothing for the other rules.
func TestHostileRuleHarmsItself(t *testing.T) {
	long(t)
	limits := limits(2 * time.Second)
	want, _ := outcomes(t, openTier(t, inThread, nil), limits, nil, nil)
	every := func(n int) string {
		return fmt.Sprintf("let n = 7; for (const c of String(code).slice(0, 500)) n = (n * 31 + c.charCodeAt(0)) %% 1000003; if (n %% %d != 0) return; ", n)
	}
	for name, body := range map[string]string{
		"crash":      "'ab'.repeat(2 ** 27).split('a')",
		"endless":    "'ab'.repeat(2 ** 24).replace(/a/g, 'bbbbbbbbbbb')",
		"prototypes": "Array.prototype.map = String.prototype.split = Object.prototype.toString = null",
	} {
		t.Run(name, func(t *testing.T) {
			n, limits := 50, limits
			switch {
			case name != "prototypes" && isolationTier() == "small":
				n = 300 // each takes some seconds
			case name == "crash":
				limits.Timeout = time.Minute // what V8 takes until then
			}
			extra := map[string]string{name: every(n) + body}
			got, counted := outcomes(t, openTier(t, inProcess, extra), limits, extra, nil)
			compareFindings(t, name, got, want)
			t.Log(counted)
			if bad := len(counted) > 1; bad != (name != "prototypes") {
				t.Errorf("outcomes of the rule: %v", counted)
			}
		})
	}
}

// doneCounter counts the files that an executor has done.
type doneCounter struct {
	executor.FileExecutor
	done atomic.Int64
}

func (d *doneCounter) ExecuteFiles(ctx context.Context, next func(bool) *executor.FileTask, done func(*executor.FileTask)) error {
	return d.FileExecutor.ExecuteFiles(ctx, next, func(t *executor.FileTask) {
		d.done.Add(1)
		done(t)
	})
}

// Workers that somebody kills at any moment, though never twice in the same
// file, change nothing.
func TestKilledWorkers(t *testing.T) {
	long(t)
	load := openTier(t, inProcess, nil)
	want, _ := outcomes(t, load, limits(2*time.Second), nil, nil)
	var (
		stop  atomic.Bool
		kills atomic.Int64
		all   sync.WaitGroup
	)
	got, _ := outcomes(t, load, limits(2*time.Second), nil, func(ex executor.Executor) executor.Executor {
		d := &doneCounter{FileExecutor: ex.(executor.FileExecutor)}
		worker := ex.(interface{ PID() int })
		all.Go(func() {
			killed := int64(-1)
			for !stop.Load() {
				time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
				// The queue that the last one had is done.
				if n := d.done.Load(); n >= killed+64 {
					if pid := worker.PID(); pid != 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
						killed = n
						kills.Add(1)
					}
				}
			}
		})
		return d
	})
	stop.Store(true)
	all.Wait()
	t.Logf("%d kills", kills.Load())
	if kills.Load() < 10 {
		t.Error("too few to say anything")
	}
	compareFindings(t, "with killed workers", got, want)
}
