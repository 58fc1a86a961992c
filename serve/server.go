package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Server analyzes the files that are sent to it. Its methods may be called
// from any goroutine.
type Server struct {
	config   Config
	mux      *http.ServeMux
	programs *programs
	workers  *workers
	shadows  *shadows
	metrics  *metrics
	readers  chan struct{}
	checks   chan struct{}
	answers  budget // for those being written
	draining atomic.Bool
	close    func() error
}

// New makes all runtimes and returns a server that must be closed. It does not
// listen yet.
func New(config Config) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	s := &Server{
		config:   config,
		mux:      http.NewServeMux(),
		programs: newPrograms(config.Programs),
		readers:  make(chan struct{}, config.Readers),
		checks:   make(chan struct{}, runtime.GOMAXPROCS(0)),
		answers:  budget{most: config.Answers},
	}
	s.metrics = newMetrics(s)
	var err error
	if s.workers, err = startWorkers(&s.config, s.metrics.execution); err != nil {
		return nil, err
	}
	s.shadows = newShadows(&s.config)
	s.close = sync.OnceValue(s.stop)
	s.mux.HandleFunc("POST /analyze", s.analyze)
	s.mux.HandleFunc("GET /healthz", s.healthz)
	s.mux.HandleFunc("GET /readyz", s.readyz)
	s.mux.HandleFunc("GET /version", s.version)
	s.mux.HandleFunc("GET /runtime", s.runtime)
	s.mux.Handle("GET /metrics", s.metrics.handler())
	return s, nil
}

// ServeHTTP implements http.Handler, for programs that bring a server of their
// own: its timeouts are then theirs.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.config.AnyHost && !loopback(r.Host) {
		http.Error(w, "the Host has to be localhost or a loopback address", http.StatusMisdirectedRequest)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// loopback reports whether a Host header, with or without a port, means this
// machine whatever a name server says.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Serve serves on l until ctx ends, then drains: /readyz says so at once, new
// connections are refused after DrainDelay, and the requests that were taken
// are answered, as far as DrainTimeout allows. It returns nil if all were.
// It closes l, not the server.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.config.ReadTimeout,
		ReadTimeout:       s.config.ReadTimeout,
		// From the end of the headers to the last byte of the answer, for which
		// there is as much time as for the request.
		WriteTimeout:   2*s.config.ReadTimeout + s.config.RequestTimeout,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
		ErrorLog:       slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.config.Log.Info("draining", "delay", s.config.DrainDelay.String(), "timeout", s.config.DrainTimeout.String())
	time.Sleep(s.config.DrainDelay)
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.DrainTimeout)
	defer cancel()
	err := h.Shutdown(within)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("serve: some requests were not done when the time for draining was over")
		_ = h.Close() // their clients get no answer
	}
	<-served
	return err
}

// Close ends what is running, and closes all runtimes. No request may come any
// more. Calling it twice is fine.
func (s *Server) Close() error { return s.close() }

func (s *Server) stop() error {
	err := errors.Join(s.workers.close(), s.shadows.close())
	s.programs.close()
	return err
}
