package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// A panicking runner does so wherever it can.
type panickingRunner struct{ ended *atomic.Bool }

func (panickingRunner) Run(context.Context, *Program, string, executor.Language, string) ([]executor.PairResult, error) {
	panic("secret")
}

func (r panickingRunner) Stats() executor.Stats {
	if r.ended.Load() {
		panic("secret")
	}
	return executor.Stats{}
}

func (r panickingRunner) Close() error {
	r.ended.Store(true)
	panic("secret")
}

// A runner that panics again while it is closed, and a new one that cannot be
// made, cost their requests, not the server, which says that it is not ready
// until one can be made. The log tells what panicked, and no texts.
func TestPanicAfterPanic(t *testing.T) {
	var made atomic.Int32
	var log lockedBuffer
	c := testConfig(t, "ddsa")
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	c.NewShadow = nil
	c.NewRunner = func(kind flags.Runtime, _ executor.Limits) (Runner, error) {
		if kind == flags.Legacy {
			return namedRunner(kind), nil
		}
		switch made.Add(1) {
		case 1:
			return panickingRunner{new(atomic.Bool)}, nil
		case 2:
			panic("secret")
		case 3, 4:
			return nil, errors.New("no memory")
		}
		return namedRunner(kind), nil
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	defer http.DefaultClient.CloseIdleConnections()
	defer web.Close()
	url := web.URL
	body := testRequest(t, "1", says("x"))
	for i, want := range []int{
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusServiceUnavailable, http.StatusServiceUnavailable,
	} {
		if status, _ := get(t, url+"/readyz"); status != http.StatusOK {
			t.Errorf("%d: not ready too early: %d", i, status)
		}
		status, header, text := post(t, url, body)
		if status != want || (status == http.StatusServiceUnavailable) != (header.Get("Retry-After") != "") {
			t.Errorf("%d: %d, want %d: %s", i, status, want, text)
		}
	}
	if status, _ := get(t, url+"/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("ready: %d", status)
	}
	status, _, text := post(t, url, body)
	if got := messages(t, status, text); !slices.Equal(got, []string{"ddsa"}) {
		t.Errorf("%q", got)
	}
	if status, text := get(t, url+"/readyz"); status != http.StatusOK {
		t.Errorf("%d: %s", status, text)
	}
	if err := s.Close(); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("closing says %v", err)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	if text := log.String(); strings.Contains(text, "secret") || !strings.Contains(text, `"value":"string"`) || !strings.Contains(text, "no memory") {
		t.Errorf("%s", text)
	}
}

// A runtime error says what it is: it holds no text of a file.
func TestPanicKind(t *testing.T) {
	err := quietly(func() error {
		var list []int
		list[len(list)]++
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "index out of range") {
		t.Error(err)
	}
}
