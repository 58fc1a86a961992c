package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
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
	// held is what the body has of the budget for answers.
	held int
	// executor is empty if no worker began the request.
	executor flags.Runtime
	log      []slog.Attr
}

func failed(status int, err error) *reply {
	return &reply{status: status, body: refused(err.Error()), log: []slog.Attr{slog.String("error", err.Error())}}
}

func (s *Server) analyze(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	a := s.reply(w, r)
	// A client that does not read holds the body until WriteTimeout.
	defer func() { s.answers.give(a.held) }()
	if a.again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(a.again))
	}
	writeJSON(w, a.status, a.body)
	took := time.Since(start)
	s.metrics.request(cmp.Or(a.executor, noExecutor), a.status, took)
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
		return s.full(errFull)
	}
	defer release()
	body, refusal := s.read(w, r)
	if refusal != nil {
		return refusal
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.RequestTimeout)
	defer cancel()
	request, task, refusal := s.check(ctx, body)
	if refusal != nil {
		return refusal
	}
	j := &job{ctx: ctx, task: task, key: targetingKey(r, request), done: make(chan struct{})}
	a := s.run(j, release)
	if d := j.decision.Load(); d != nil {
		a.executor = d.Value
		a.log = append(a.log, slog.String("executor", string(d.Value)), slog.String("reason", string(d.Reason)))
	}
	a.log = append(a.log, slog.String("path", short(task.path)), slog.Int("bytes", len(task.text)), slog.Int("rules", len(task.names)))
	return a
}

// check decodes a request and judges it. It takes many times the memory that
// the body does, so no more are checked at once than there are processors.
func (s *Server) check(ctx context.Context, body []byte) (*request, *task, *reply) {
	select {
	case s.checks <- struct{}{}:
		defer func() { <-s.checks }()
	case <-ctx.Done():
		return nil, nil, s.late(ctx)
	}
	request, err := decode(body)
	switch {
	case errors.Is(err, errSyntax):
		return nil, nil, failed(http.StatusBadRequest, err)
	case err != nil:
		return nil, nil, failed(http.StatusUnprocessableEntity, err)
	}
	task, err := request.validate()
	if err != nil {
		return nil, nil, rejected(err)
	}
	return request, task, nil
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

func (s *Server) full(what error) *reply {
	a := failed(http.StatusTooManyRequests, what)
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

// run has a worker do the job and makes the answer. It calls taken when the
// queue has the job.
func (s *Server) run(j *job, taken func()) *reply {
	ctx, t := j.ctx, j.task
	if len(t.rules) == 0 {
		return s.answer(t, nil, nil)
	}
	j.program = s.programs.get(t.rules)
	defer j.program.release()
	j.program.hold() // for the worker
	if err := s.workers.put(j); err != nil {
		j.program.release()
		return s.full(errFull)
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
		a := failed(http.StatusServiceUnavailable, errors.New(words(j.err, t.path)))
		a.again = 10
		return a
	case j.err != nil:
		a := s.answer(t, nil, j.err)
		a.log = append(a.log, slog.String("error", words(j.err, t.path)))
		return a
	}
	s.shadows.offer(j)
	a := s.answer(t, j.results, nil)
	a.log = append(a.log, failures(j.results)...)
	return a
}

// answer is what became of a task, if there is room for it until its client has
// read it.
func (s *Server) answer(t *task, results []executor.PairResult, err error) *reply {
	body := t.answer(results, err)
	if !s.answers.take(body.bytes) {
		return s.full(errUnread)
	}
	return &reply{status: http.StatusOK, body: body, held: body.bytes}
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
