package shadow

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// Whatever fails in the shadow is counted and kept, and the next file is
// compared as if nothing had been.
func TestFailures(t *testing.T) {
	type answers = []executor.PairResult
	for _, c := range []struct {
		name    string
		spoil   func(w *world, path string) // called for "bad.js" at its stage
		stage   string
		what    string // the mismatch's difference
		detail  string
		rule    string
		skipped uint64
		made    int64 // executors in all
	}{
		{"no executor", nil, "make", "no executor could be made", "no thread", "", 2, 1},
		{"no parse", nil, "parse", "the file could not be analyzed", "bad.js: too deep", "", 2, 1},
		{"parser panics", func(*world, string) { panic("secret") }, "parse", "panic: string", "secret", "", 2, 2},
		{"executor panics", func(*world, string) { panic(errors.New("secret")) }, "run", "panic: *errors.errorString", "secret", "set/rule", 2, 2},
		{
			"executor has a fault", func(*world, string) { _ = answers{}[len(answers{})] }, "run",
			"panic: runtime error: index out of range [0] with length 0", "failure_test.go", "set/rule", 2, 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			bad := true // the first file
			at := func(stage string, err string) error {
				if !bad || stage != c.stage {
					return nil
				}
				bad = false
				if c.spoil != nil {
					c.spoil(w, "bad.js")
				}
				return errors.New(err)
			}
			w.make = func() error { return at("make", "no thread") }
			w.parse = func(string) error { return at("parse", "too deep") }
			w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
				_ = at("run", "")
				return found()
			}
			s := w.start(Config{Store: NewStore(0, true)})
			s.Offer(w.answer("bad.js", found(), found()))
			s.Offer(w.answer("good.js", found(), found()))
			if err := s.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := Counts{Files: 2, Pairs: 2, Skipped: c.skipped}
			want.Mismatches[Failed] = 1
			if got := s.Counts(); got != want {
				t.Errorf("counts %+v, want %+v", got, want)
			}
			m := s.Mismatches()[0]
			if m.Kind != Failed || m.Path != "bad.js" || m.Rule != c.rule || m.Difference != c.what ||
				!strings.Contains(m.Shadow.Detail, c.detail) {
				t.Errorf("got %+v", m)
			}
			if w.made.Load() != c.made || w.released.Load() != 2 {
				t.Errorf("%d executors, %d released", w.made.Load(), w.released.Load())
			}
		})
	}
}

// A panic while closing is an error of Close.
func TestPanicWhileClosing(t *testing.T) {
	s := New(Config{NewExecutor: func() (executor.Executor, error) { return badClose{}, nil }})
	w := newWorld(t)
	s.Offer(w.answer("a.js"))
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "panic while closing an executor: moon") {
		t.Errorf("got %v", err)
	}
}

type badClose struct{ executor.Executor }

func (badClose) Stats() executor.Stats { return executor.Stats{} }
func (badClose) Close() error          { panic("moon") }
