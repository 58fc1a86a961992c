package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/syntax"
)

// keyHeader names who asks, for a flag that is set to a share.
const keyHeader = "X-Targeting-Key"

// statusClosed is what the log and the metrics say of a request whose client
// has gone: nobody gets it.
const statusClosed = 499

// A reply is the status and body of one answer, and what the log says of it.
type reply struct {
	status int
	body   *response
	// again is in how many seconds it is worth while to come again; 0: it is
	// not.
	again int
	log   []slog.Attr
}

func failed(status int, err error) *reply {
	return &reply{status: status, body: refused(err.Error()), log: []slog.Attr{slog.String("error", err.Error())}}
}

func (s *Server) analyze(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	a := s.reply(w, r)
	if a.again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(a.again))
	}
	writeJSON(w, a.status, a.body)
	took := time.Since(start)
	s.metrics.request(a.status, took)
	s.config.Log.LogAttrs(r.Context(), slog.LevelInfo, "analyze",
		append([]slog.Attr{slog.Int("status", a.status), slog.Float64("took_ms", float64(took.Microseconds())/1000)}, a.log...)...)
}

func (s *Server) reply(w http.ResponseWriter, r *http.Request) *reply {
	// Pages in a browser can send other types to loopback without asking.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return failed(http.StatusUnsupportedMediaType, errors.New("the Content-Type has to be application/json"))
	}
	release, ok := s.reader()
	if !ok {
		return s.full()
	}
	defer release()
	body, refusal := s.read(w, r)
	if refusal != nil {
		return refusal
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.RequestTimeout)
	defer cancel()
	request, err := decode(body)
	switch {
	case errors.Is(err, errSyntax):
		return failed(http.StatusBadRequest, err)
	case err != nil:
		return failed(http.StatusUnprocessableEntity, err)
	}
	task, err := request.validate()
	if err != nil {
		return rejected(err)
	}
	decision := s.config.Flag.Evaluate(targetingKey(r, request))
	a := s.run(ctx, task, decision, release)
	a.log = append(a.log, slog.String("executor", string(decision.Value)), slog.String("reason", string(decision.Reason)),
		slog.String("path", short(task.path)), slog.Int("bytes", len(task.text)), slog.Int("rules", len(task.names)))
	return a
}

// reader takes one of the places for requests that are not in the queue yet.
// release gives it back, and may be called again.
func (s *Server) reader() (release func(), ok bool) {
	select {
	case s.readers <- struct{}{}:
		return sync.OnceFunc(func() { <-s.readers }), true
	default:
		return nil, false
	}
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) ([]byte, *reply) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, failed(http.StatusRequestEntityTooLarge, err)
	case err != nil:
		return nil, failed(http.StatusRequestTimeout, errors.New("the request did not come whole and in time"))
	}
	return body, nil
}

// short cuts a name that the client chose, for the log.
func short(name string) string {
	const most = 256
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

func (s *Server) full() *reply {
	a := failed(http.StatusTooManyRequests, errFull)
	a.again = s.workers.retryAfter()
	return a
}

// rejected answers a request with a fault that the original has a word for.
func rejected(err error) *reply {
	var f *fault
	if !errors.As(err, &f) {
		return failed(http.StatusInternalServerError, err)
	}
	return &reply{
		status: http.StatusOK, body: refused(f.word),
		log: []slog.Attr{slog.String("fault", f.word), slog.String("detail", f.detail)},
	}
}

func targetingKey(r *http.Request, request *request) string {
	if key := r.Header.Get(keyHeader); key != "" {
		return key
	}
	if request.repository != "" {
		return request.repository
	}
	return request.filename
}

// run has a worker do the task and makes the answer. It calls taken when the
// queue has the task.
func (s *Server) run(ctx context.Context, t *task, d flags.Decision, taken func()) *reply {
	if len(t.rules) == 0 {
		return &reply{status: http.StatusOK, body: t.answer(nil, nil)}
	}
	program := s.programs.get(t.rules)
	defer program.release()
	program.hold() // for the worker
	j := &job{ctx: ctx, task: t, program: program, kind: d.Value, done: make(chan struct{})}
	if err := s.workers.put(j); err != nil {
		program.release()
		return s.full()
	}
	taken()
	select {
	case <-j.done:
	case <-ctx.Done():
		// The worker ends the job in its own time, and nobody looks at it.
		return s.late(ctx)
	}
	var queries syntax.QueryErrors
	switch {
	case errors.As(j.err, &queries):
		first := queries[0] // its Detail is of the rule's text, which no log gets
		return rejected(&fault{ruleNotDecoded, fmt.Sprintf("rule %q: query, offset %d: %s", short(first.Rule.Name), first.Offset, first.Kind)})
	case errors.Is(j.err, errPanicked):
		return failed(http.StatusInternalServerError, j.err)
	case ctx.Err() != nil || errors.Is(j.err, executor.ErrCancelled):
		return s.late(ctx)
	case errors.Is(j.err, executor.ErrUnusable): // it may be used again later
		a := failed(http.StatusServiceUnavailable, j.err)
		a.again = 10
		return a
	case j.err != nil:
		return &reply{
			status: http.StatusOK, body: t.answer(nil, j.err), log: []slog.Attr{slog.String("error", j.err.Error())},
		}
	}
	s.shadows.offer(d, j)
	return &reply{status: http.StatusOK, body: t.answer(j.results, nil)}
}

// late answers a request whose time is up, or whose client has gone.
func (s *Server) late(ctx context.Context) *reply {
	if errors.Is(ctx.Err(), context.Canceled) {
		return failed(statusClosed, errors.New("the client has gone"))
	}
	a := failed(http.StatusServiceUnavailable, errors.New("not done within the request's time limit"))
	a.again = s.workers.retryAfter()
	return a
}

// writeJSON writes a whole answer, without the escapes for HTML that Go adds
// and the original does not.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // the client may have gone
}
