package executor_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"

	. "github.com/ddsabench/ddsabench/executor"
)

// fake is an executor that does what run says, and records how it is used.
type fake struct {
	run    func(ctx context.Context, rule *Rule, file *File) (Result, error)
	onEnd  error // Close's error
	closed atomic.Int32
	calls  atomic.Uint64
	thread int // where it was made
	moved  atomic.Bool
}

func newFake(run func(context.Context, *Rule, *File) (Result, error)) *fake {
	return &fake{run: run, thread: syscall.Gettid()}
}

func (f *fake) here() {
	if syscall.Gettid() != f.thread {
		f.moved.Store(true)
	}
}

func (f *fake) Name() string { return "fake" }

func (f *fake) Execute(ctx context.Context, rule *Rule, file *File) (Result, error) {
	f.here()
	f.calls.Add(1)
	if f.run == nil {
		return Result{}, nil
	}
	return f.run(ctx, rule, file)
}

func (f *fake) Stats() Stats {
	return Stats{Executions: f.calls.Load(), WatchdogsStarted: 1}
}

func (f *fake) Close() error {
	f.here()
	f.closed.Add(1)
	return f.onEnd
}

// newPool makes a pool of fakes that is closed when the test ends.
func newPool(t testing.TB, workers int, run func(context.Context, *Rule, *File) (Result, error)) (*Pool, []*fake) {
	t.Helper()
	var fakes []*fake
	p, err := NewPool(workers, func() (Executor, error) {
		f := newFake(run)
		fakes = append(fakes, f)
		return f, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, fakes
}

// load makes a JavaScript file whose path is its index.
func load(_ context.Context, _, index int) (*File, error) {
	return &File{Path: fmt.Sprint(index), Language: JavaScript}, nil
}

var jsRules = map[Language][]*Rule{
	JavaScript: {{Name: "a"}, {Name: "b"}, {Name: "c"}},
	TypeScript: {{Name: "ts"}},
}

// collect returns an Emit that keeps the results.
func collect(results *[]*FileResult) func(*FileResult) error {
	return func(r *FileResult) error {
		*results = append(*results, r)
		return nil
	}
}

// wantPrefix checks that results are files 0, 1, 2… with all their pairs.
func wantPrefix(t *testing.T, results []*FileResult) {
	t.Helper()
	for i, r := range results {
		if r.Index != i || r.Path != fmt.Sprint(i) {
			t.Fatalf("result %d is file %d (%q)", i, r.Index, r.Path)
		}
		if len(r.Results) != 3 {
			t.Fatalf("file %d has %d results, want 3", i, len(r.Results))
		}
		for k, pair := range r.Results {
			if want := jsRules[JavaScript][k]; pair.Rule != want || pair.Err != nil {
				t.Fatalf("file %d, pair %d: rule %v, error %v; want rule %s", i, k, pair.Rule, pair.Err, want.Name)
			}
		}
	}
}
