package shadow

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

func TestCompares(t *testing.T) {
	w := newWorld(t)
	w.run = func(_ context.Context, _ *executor.Rule, file *executor.File) executor.PairResult {
		switch file.Path {
		case "out.js":
			return ended(executor.Timeout, "secret")
		case "threw.js":
			return ended(executor.Script, "secret")
		}
		return found(at(1, "secret"))
	}
	s := w.start(Config{})
	for _, path := range []string{"same.js", "out.js", "threw.js"} {
		if !s.Offer(w.answer(path, found(at(1, "secret")), ended(executor.Cancelled, ""))) {
			t.Errorf("%s was not taken", path)
		}
	}
	s.Offer(w.answer("other.js", found(at(2, "secret"))))
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := Counts{Files: 4, Pairs: 4, Skipped: 3}
	want.Mismatches[Violations], want.Mismatches[Outcome], want.Mismatches[Timeout] = 1, 1, 1
	if diff := cmp.Diff(want, s.Counts()); diff != "" || s.Counts().Total() != 3 {
		t.Error(diff)
	}
	if got := s.Stats(); got.Executions != 7 || got.WatchdogsStarted != 1 || w.released.Load() != 4 {
		t.Errorf("stats %+v, %d released", got, w.released.Load())
	}

	all := s.Mismatches()
	if len(all) != 3 {
		t.Fatalf("%d mismatches are kept", len(all))
	}
	all[0].Time = time.Time{}
	if diff := cmp.Diff(Mismatch{
		Kind: Violations, Path: "other.js", Language: executor.JavaScript, Rule: "set/rule", Executor: "fake",
		Answered:   Side{Outcome: "ok", Violations: 1},
		Shadow:     Side{Outcome: "ok", Violations: 1},
		Difference: "violation 1: 2:1-2:5, 6 bytes, 0 fixes against 1:1-1:5, 6 bytes, 0 fixes",
	}, all[0]); diff != "" {
		t.Error(diff)
	}
	text, err := json.Marshal(all)
	if err != nil || strings.Contains(string(text), "secret") || strings.Contains(string(text), "text of") {
		t.Errorf("texts are kept without being asked for: %s, %v", text, err)
	}
}

func TestKeepsTextsIfAsked(t *testing.T) {
	w := newWorld(t)
	w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
		return ended(executor.Script, "why")
	}
	s := w.start(Config{Store: NewStore(1, true)})
	s.Offer(w.answer("a.js", found(at(1, "message"))))
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := s.Mismatches()[0]
	if m.Text != "text of a.js" || !strings.Contains(m.Answered.Detail, "message") || !strings.Contains(m.Shadow.Detail, "why") {
		t.Errorf("got %+v", m)
	}
}

// What the caller does with its results afterwards, such as dropping the
// suppressed ones in place, does not reach the shadow.
func TestAnswerIsTheCallersToChange(t *testing.T) {
	w := newWorld(t)
	begin := make(chan struct{})
	w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
		<-begin
		return found(at(1, "a"), at(2, "b"))
	}
	s := w.start(Config{})
	results := []executor.PairResult{found(at(1, "a"), at(2, "b"))}
	s.Offer(w.answer("a.js", results...))
	clear(results[0].Result.Violations)
	results[0] = executor.PairResult{}
	close(begin)
	if err := s.Drain(t.Context()); err != nil || s.Counts().Total() != 0 {
		t.Errorf("%v, counts %+v", err, s.Counts())
	}
}

// However slow the shadow is, the answers go on: what does not fit into the
// queue is dropped.
func TestFullQueueDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
			time.Sleep(time.Hour)
			return found()
		}
		s := w.start(Config{Queue: 3})
		defer s.Close()
		s.Offer(w.answer("running.js", found()))
		synctest.Wait() // it has left the queue
		start, taken := time.Now(), 0
		for range 100 {
			if s.Offer(w.answer("a.js", found())) {
				taken++
			}
		}
		if took := time.Since(start); taken != 3 || took != 0 {
			t.Errorf("%d were taken, in %v", taken, took)
		}
		if c := s.Counts(); c.Dropped != 97 || c.Waiting != 3 || w.released.Load() != 97 {
			t.Errorf("counts %+v, %d released", c, w.released.Load())
		}
		if err := s.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if c := s.Counts(); c.Files != 4 || c.Waiting != 0 || w.released.Load() != 101 {
			t.Errorf("counts %+v, %d released", c, w.released.Load())
		}
	})
}

func TestQueueIsBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
			time.Sleep(time.Hour)
			return found()
		}
		s := w.start(Config{QueueBytes: 10_000})
		defer s.Close()
		s.Offer(w.answer("running.js", found()))
		synctest.Wait()
		large := func(text, message string) Answer {
			a := w.answer("a.js", found(at(1, message, add(message))))
			a.Text += text
			return a
		}
		for i, c := range []struct {
			Answer
			taken bool
		}{
			{large(strings.Repeat("x", 6000), ""), true},
			{large(strings.Repeat("x", 6000), ""), false},
			{large("", strings.Repeat("x", 3000)), false}, // in message and fix
			{large("", strings.Repeat("x", 1000)), true},
			{w.answer("b.js", found()), true},
		} {
			if s.Offer(c.Answer) != c.taken {
				t.Errorf("answer %d: taken %v", i, !c.taken)
			}
		}
		if err := s.Drain(t.Context()); err != nil { // all room is there again
			t.Error(err)
		}
		s.Offer(w.answer("running.js", found()))
		synctest.Wait()
		for range 2 {
			if !s.Offer(large(strings.Repeat("x", 4000), "")) {
				t.Error("the room of earlier files was not given back")
			}
		}
	})
}

// One file that is larger than the queue may pass, alone.
func TestLargeFilePasses(t *testing.T) {
	w := newWorld(t)
	s := w.start(Config{QueueBytes: 1})
	if !s.Offer(w.answer("a.js", found())) {
		t.Error("it was not taken")
	}
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run = func(context.Context, *executor.Rule, *executor.File) executor.PairResult {
			time.Sleep(time.Second)
			return found()
		}
		s := w.start(Config{Queue: 2, Wait: true})
		for range 100 {
			if !s.Offer(w.answer("a.js", found())) {
				t.Error("dropped")
			}
		}
		if err := s.Drain(t.Context()); err != nil || s.Counts().Files != 100 {
			t.Errorf("%v, counts %+v", err, s.Counts())
		}
		// Close ends the waiting.
		for range 3 {
			s.Offer(w.answer("a.js", found()))
		}
		taken := make(chan bool, 1)
		go func() { taken <- s.Offer(w.answer("a.js", found())) }()
		synctest.Wait()
		if err := s.Close(); err != nil || <-taken {
			t.Errorf("a closed Comparer took a file, %v", err)
		}
	})
}

func TestDrainEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.run = func(ctx context.Context, _ *executor.Rule, _ *executor.File) executor.PairResult {
			<-ctx.Done()
			return ended(executor.Cancelled, "")
		}
		s := w.start(Config{})
		s.Offer(w.answer("a.js", found(), found(), found()))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		s.Offer(w.answer("waits.js", found()))

		// Close ends the running execution; what it cut short is no mismatch.
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if c := s.Counts(); c.Total() != 0 || c.Skipped != 3 || c.Dropped != 1 || w.released.Load() != 2 {
			t.Errorf("counts %+v, %d released", c, w.released.Load())
		}
		if s.Offer(w.answer("late.js", found())) || w.released.Load() != 3 || s.Close() != nil {
			t.Error("a closed Comparer took a file")
		}
		if err := s.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestNilComparer(t *testing.T) {
	var s *Comparer
	w := newWorld(t)
	if s.Offer(w.answer("a.js", found())) || w.released.Load() != 1 {
		t.Error("it took a file")
	}
	if err := errors.Join(s.Drain(t.Context()), s.Close()); err != nil {
		t.Error(err)
	}
	if s.Counts() != (Counts{}) || s.Mismatches() != nil || s.Stats() != (executor.Stats{}) {
		t.Error("it counted something")
	}
}
