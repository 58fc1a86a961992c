package executor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/ddsabench/ddsabench/executor"
)

func TestPoolEmitsInOrder(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		for _, window := range []int{0, 1, 3} {
			t.Run(fmt.Sprintf("workers=%d/window=%d", workers, window), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p, fakes := newPool(t, workers, func(context.Context, *Rule, *File) (Result, error) {
						time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
						return Result{}, nil
					})
					for run := range 2 { // a pool can be used again
						var got []*FileResult
						err := p.Run(t.Context(), Job{Files: 200, Rules: jsRules, Load: load, Emit: collect(&got), Window: window})
						if err != nil || len(got) != 200 {
							t.Fatalf("run %d: %d files, error %v", run, len(got), err)
						}
						wantPrefix(t, got)
					}
					if n := p.Stats().Executions; n != 2*200*3 {
						t.Errorf("%d executions, want %d", n, 2*200*3)
					}
					if err := errors.Join(p.Close(), p.Close()); err != nil {
						t.Error(err)
					}
					for _, f := range fakes {
						if f.closed.Load() != 1 || f.moved.Load() {
							t.Errorf("closed %d times; changed threads: %v", f.closed.Load(), f.moved.Load())
						}
					}
				})
			})
		}
	}
}

func TestPoolPerFileRules(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	errRead := errors.New("no such file")
	var got []*FileResult
	err := p.Run(t.Context(), Job{
		Files: 4,
		Rules: jsRules,
		Load: func(_ context.Context, _, index int) (*File, error) {
			switch index {
			case 0:
				return &File{Path: "x.ts", Language: TypeScript}, nil
			case 1:
				return &File{Path: "gone.js", Language: JavaScript}, errRead
			case 2:
				return nil, errRead
			}
			return nil, nil
		},
		Emit: collect(&got),
	})
	if err != nil || len(got) != 4 {
		t.Fatalf("%d files, error %v", len(got), err)
	}
	if r := got[0]; r.Err != nil || len(r.Results) != 1 || r.Results[0].Rule.Name != "ts" {
		t.Errorf("a TypeScript file: %+v", r)
	}
	if r := got[1]; r.Err != errRead || r.Path != "gone.js" || r.Language != JavaScript || r.Results != nil {
		t.Errorf("an unreadable file: %+v", r)
	}
	if r := got[2]; r.Err != errRead || r.Path != "" {
		t.Errorf("an unreadable file without a name: %+v", r)
	}
	if r := got[3]; r.Err == nil {
		t.Errorf("neither file nor error: %+v", r)
	}
}

// One slow file holds nobody up until the window is full, and memory stays
// bounded by it.
func TestPoolSlowFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := newPool(t, 3, nil)
		const window, slow = 10, time.Hour
		var loaded atomic.Int32
		var got []*FileResult
		go func() {
			time.Sleep(slow / 2)
			if n := loaded.Load(); n != window {
				t.Errorf("%d files loaded behind a slow one, want %d", n, window)
			}
		}()
		start := time.Now()
		err := p.Run(t.Context(), Job{
			Files: 50, Rules: jsRules, Window: window, Emit: collect(&got),
			Load: func(ctx context.Context, worker, index int) (*File, error) {
				loaded.Add(1)
				if index == 0 {
					time.Sleep(slow)
				}
				return load(ctx, worker, index)
			},
		})
		if err != nil || len(got) != 50 || time.Since(start) != slow {
			t.Errorf("%d files in %v, error %v", len(got), time.Since(start), err)
		}
		wantPrefix(t, got)
		if got[0].Load != slow {
			t.Errorf("time to load %v, want %v", got[0].Load, slow)
		}
		p.Close()
	})
}

// The workers finish within one file's time of each other.
func TestPoolKeepsWorkersBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 4
		p, _ := newPool(t, workers, nil)
		r := rand.New(rand.NewPCG(1, 2))
		times := make([]time.Duration, 500)
		var sum time.Duration
		for i := range times {
			times[i] = time.Duration(r.IntN(10_000)) * time.Microsecond
			sum += times[i]
		}
		start := time.Now()
		if err := p.Run(t.Context(), Job{
			Files: len(times), Emit: func(*FileResult) error { return nil },
			Load: func(ctx context.Context, worker, index int) (*File, error) {
				time.Sleep(times[index])
				return load(ctx, worker, index)
			},
		}); err != nil {
			t.Fatal(err)
		}
		if took, limit := time.Since(start), sum/workers+10*time.Millisecond; took > limit {
			t.Errorf("took %v, want at most %v", took, limit)
		}
		p.Close()
	})
}

func TestNewPoolIsAllOrNothing(t *testing.T) {
	errMake := errors.New("out of memory")
	errClose := errors.New("will not close")
	var made []*fake
	p, err := NewPool(4, func() (Executor, error) {
		if len(made) == 2 {
			return nil, errMake
		}
		f := newFake(nil)
		f.onEnd = errClose
		made = append(made, f)
		return f, nil
	})
	if p != nil || !errors.Is(err, errMake) || !errors.Is(err, errClose) {
		t.Fatalf("pool %v, error %v", p, err)
	}
	for i, f := range made {
		if f.closed.Load() != 1 {
			t.Errorf("executor %d closed %d times", i, f.closed.Load())
		}
	}
	if _, err := NewPool(0, nil); err == nil || !strings.Contains(err.Error(), "at least 1") {
		t.Errorf("0 workers: %v", err)
	}
}

func TestPoolRefusesBadJobs(t *testing.T) {
	p, _ := newPool(t, 1, nil)
	emit := func(*FileResult) error { return nil }
	for name, job := range map[string]Job{
		"files":  {Files: -1, Load: load, Emit: emit},
		"window": {Files: 1, Window: -1, Load: load, Emit: emit},
		"load":   {Files: 1, Emit: emit},
		"emit":   {Files: 1, Load: load},
	} {
		if err := p.Run(t.Context(), job); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := p.Run(t.Context(), Job{Load: load, Emit: emit}); err != nil {
		t.Errorf("no files: %v", err)
	}
}

// The pool's own allocations are per file, not per pair.
func TestPoolAllocations(t *testing.T) {
	p, _ := newPool(t, 2, nil)
	rules := make([]*Rule, 100)
	for i := range rules {
		rules[i] = &Rule{Language: JavaScript}
	}
	file := &File{Language: JavaScript}
	job := Job{
		Files: 100, Rules: map[Language][]*Rule{JavaScript: rules},
		Load: func(context.Context, int, int) (*File, error) { return file, nil },
		Emit: func(*FileResult) error { return nil },
	}
	perRun := testing.AllocsPerRun(5, func() { p.Run(t.Context(), job) })
	if limit := 2.0*100 + 50; perRun > limit {
		t.Errorf("%v allocations for 10,000 pairs in 100 files, want at most %v", perRun, limit)
	}
}

// idle is an executor that costs nothing.
type idle struct{ Executor }

func (idle) Execute(context.Context, *Rule, *File) (Result, error) { return Result{}, nil }
func (idle) Close() error                                          { return nil }

// BenchmarkPool is the pool's own time for a pair.
func BenchmarkPool(b *testing.B) {
	p, err := NewPool(2, func() (Executor, error) { return idle{}, nil })
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	rules := make([]*Rule, 20)
	for i := range rules {
		rules[i] = &Rule{Language: JavaScript}
	}
	job := Job{
		Files: b.N/len(rules) + 1, Rules: map[Language][]*Rule{JavaScript: rules}, Load: load,
		Emit: func(*FileResult) error { return nil },
	}
	b.ReportAllocs()
	if err := p.Run(b.Context(), job); err != nil {
		b.Fatal(err)
	}
}
