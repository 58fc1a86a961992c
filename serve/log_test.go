package serve

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/shadow"
)

// lines are the log's lines that hold part.
func (b *lockedBuffer) lines(part string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, part) {
			found = append(found, line)
		}
	}
	return found
}

// A request's line counts what failed, and names the first rule that did.
func TestLogOfFailures(t *testing.T) {
	var log lockedBuffer
	c := testConfig(t, "ddsa")
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	_, url := start(t, c)
	long := strings.Repeat("n", 4000)
	throw := "function visit() { throw 'secret'; }"
	post(t, url, testRequest(t, "1", says("x"), testRule(long, "(program) @p", throw), testRule("b", "(program) @p", throw)),
		keyHeader, "somebody")
	post(t, url, testRequest(t, "1", says("x")))
	lines := log.lines(`"msg":"analyze"`)
	if len(lines) != 2 || !strings.Contains(lines[0], `"outcomes":{"script error":2},"failed_rule":"`+long[:maxShort]+`…"`) ||
		strings.Contains(lines[1], "outcomes") || strings.Contains(lines[1], "failed_rule") {
		t.Errorf("%s", lines)
	}
	if text := log.String(); strings.Contains(text, "secret") || strings.Contains(text, "somebody") {
		t.Errorf("%s", text)
	}
}

// Each death of a worker process is a warning.
func TestLogOfDeaths(t *testing.T) {
	var log lockedBuffer
	c := isolatedConfig(t, "ddsa")
	c.Limits.Timeout = 300 * time.Millisecond
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	_, url := start(t, c)
	post(t, url, testRequest(t, "secret", says("x"),
		testRule("hang", "(program) @p", "function visit() { 'ab'.repeat(2 ** 24).replace(/a/g, 'bbbbbbbbbbb'); }")))
	lines := log.lines(`"level":"WARN"`)
	if len(lines) != 1 || !strings.Contains(lines[0], `"executor":"ddsa","cause":"hung","rule":"hang","path":"a.js"`) ||
		len(log.lines("secret")) > 0 {
		t.Errorf("%s", log.String())
	}
}

// A file of which parsing ended a worker process has no rule to name.
func TestLogOfDeathInParsing(t *testing.T) {
	var log lockedBuffer
	j := &job{task: &task{path: "a.js"}, err: &executor.Error{Outcome: executor.Hung}}
	logDeaths(slog.New(slog.NewJSONHandler(&log, nil)), flags.Legacy, j)
	if lines := log.lines(`"cause":"hung","rule":"","path":"a.js"`); len(lines) != 1 {
		t.Errorf("%s", log.String())
	}
}

// Mismatches are logged, without texts, and the last ones when the server ends.
func TestLogOfMismatches(t *testing.T) {
	var log lockedBuffer
	c := testConfig(t, "ddsa")
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	c.Flag = flags.New(flags.Config{Option: "live", ShadowSample: "1"})
	c.NewShadow = func(flags.Runtime, executor.Limits) (executor.Executor, error) { return nil, errors.New("secret") }
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{ctx: t.Context(), task: &task{path: "a.js"}, program: s.programs.get(nil)}
	j.decision.Store(new(c.Flag.Evaluate("")))
	for range 3 {
		s.shadows.offer(j)
	}
	if err := s.shadows.comparers[flags.Legacy].Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	j.program.release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	lines := log.lines(`"msg":"shadow mismatch"`)
	if len(lines) == 0 || len(lines) > 3 || !strings.Contains(lines[0], `"kind":"failed"`) || !strings.Contains(lines[0], `"path":"a.js"`) ||
		strings.Contains(log.String(), "secret") {
		t.Errorf("%s", log.String())
	}
}

// Nothing new is nothing to log, and there is one line a second at most.
func TestLogOfMismatchesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log lockedBuffer
		store, end := shadow.NewStore(0, false), make(chan struct{})
		compared := shadow.New(shadow.Config{
			Store:       store,
			NewExecutor: func() (executor.Executor, error) { return nil, errors.New("none") },
		})
		defer compared.Close()
		go logMismatches(slog.New(slog.NewJSONHandler(&log, nil)), store, end)
		for range 2 {
			for range 5 {
				compared.Offer(shadow.Answer{Path: "a.js"})
				time.Sleep(time.Millisecond)
			}
			time.Sleep(10 * time.Second)
		}
		close(end)
		synctest.Wait()
		if lines := log.lines(`"more":4`); len(lines) != 2 || len(log.lines("")) != 2 {
			t.Errorf("%s", log.String())
		}
	})
}
