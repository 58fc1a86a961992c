package serve

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// metrics are counted as things happen; what others count already is read when
// it is asked for, by a collector.
type metrics struct {
	registry   *prometheus.Registry
	executions *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	requests   *prometheus.CounterVec
	latency    *prometheus.HistogramVec
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		executions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ddsabench_executions_total",
			Help: "Executions of rules that entered V8 or failed, whose results were an answer.",
		}, []string{"executor", "outcome"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ddsabench_execution_duration_seconds",
			Help:    "Time in one execution, watching included.",
			Buckets: prometheus.ExponentialBuckets(25e-6, 4, 10), // 25 µs to 6.6 s
		}, []string{"executor"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ddsabench_requests_total", Help: "Requests to analyze, by HTTP status.",
		}, []string{"executor", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ddsabench_request_duration_seconds",
			Help:    "Time from a request's headers to its answer.",
			Buckets: prometheus.ExponentialBuckets(0.5e-3, 2, 17), // 0.5 ms to 33 s
		}, []string{"executor"}),
	}
	for _, kind := range runtimes { // rates need a zero to start from
		for o := executor.Outcome(0); o < executor.OutcomeCount; o++ {
			m.executions.WithLabelValues(string(kind), o.String())
		}
		m.latency.WithLabelValues(string(kind))
	}
	m.latency.WithLabelValues(string(noExecutor))
	m.registry.MustRegister(m.executions, m.durations, m.requests, m.latency, collector{s},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// execution counts one pair, unless the rule matched nothing and so never ran.
func (m *metrics) execution(kind flags.Runtime, p *executor.PairResult) {
	if !p.Result.Entered && p.Err == nil {
		return
	}
	took := p.Result.Elapsed
	var e *executor.Error
	if errors.As(p.Err, &e) {
		took = max(took, e.Elapsed)
	}
	m.executions.WithLabelValues(string(kind), outcome(p.Err).String()).Inc()
	m.durations.WithLabelValues(string(kind)).Observe(took.Seconds())
}

// noExecutor is what the metrics say of a request that no worker began.
const noExecutor flags.Runtime = "none"

func (m *metrics) request(kind flags.Runtime, status int, took time.Duration) {
	m.requests.WithLabelValues(string(kind), strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(string(kind)).Observe(took.Seconds())
}
