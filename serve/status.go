package serve

import (
	"io"
	"net/http"
	"runtime"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/shadow"
)

// healthz says that the process serves.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "ok\n") // the client may have gone
}

// readyz says whether more requests are welcome.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	if s.draining.Load() {
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	}
	if s.workers.unusable.lately(time.Now()) {
		http.Error(w, "no executor can be used", http.StatusServiceUnavailable)
		return
	}
	_, _ = io.WriteString(w, "ready\n")
}

func (s *Server) version(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, struct {
		Version string `json:"version"`
		V8      string `json:"v8"`
		Go      string `json:"go"`
	}{s.config.Version, s.config.V8, runtime.Version()})
}

// A status is the answer of /runtime.
type status struct {
	// Decision is that for the key in the query, or for none.
	Decision struct {
		Key       string          `json:"key"`
		Executor  flags.Runtime   `json:"executor"`
		Variant   flags.Variant   `json:"variant"`
		Reason    flags.Reason    `json:"reason"`
		Source    flags.Source    `json:"source"`
		Setting   string          `json:"setting"`
		ErrorCode flags.ErrorCode `json:"error_code,omitempty"`
		Error     string          `json:"error,omitempty"`
		Note      string          `json:"note,omitempty"`
	} `json:"decision"`
	ShadowSample float64 `json:"shadow_sample"`
	// FlagError is what the metric flag_error is 1 for. It need not be what
	// decides.
	FlagError string                          `json:"flag_error,omitempty"`
	Executors map[flags.Runtime]executorState `json:"executors"`
	Queue     int                             `json:"queue"`
	// Mismatches are the latest, the latest first.
	Mismatches []shadow.Mismatch `json:"shadow_mismatches"`
}

type executorState struct {
	Runtimes         int               `json:"runtimes"`
	Processes        int               `json:"worker_processes"`
	Executions       uint64            `json:"executions"`
	Outcomes         map[string]uint64 `json:"outcomes"`
	WatchdogsStarted uint64            `json:"watchdogs_started"`
	WatchdogsLive    uint64            `json:"watchdogs_live"`
}

// runtime says who answers and why: GET /runtime?key=KEY.
func (s *Server) runtime(w http.ResponseWriter, r *http.Request) {
	var a status
	key := r.URL.Query().Get("key")
	d := s.config.Flag.Evaluate(key)
	a.Decision.Key, a.Decision.Executor, a.Decision.Variant = key, d.Value, d.Variant
	a.Decision.Reason, a.Decision.Source, a.Decision.Setting = d.Reason, d.Source, d.Setting.String()
	if d.Err != nil {
		a.Decision.ErrorCode, a.Decision.Error = d.ErrorCode, d.Err.Error()
	}
	if d.ErrorCode == flags.TargetingKeyMissing {
		a.Decision.Note = "a share is by targeting key: add ?key=KEY"
	}
	a.ShadowSample = d.ShadowSample
	if err := s.config.Flag.Status().Err; err != nil {
		a.FlagError = err.Error()
	}
	a.Executors = map[flags.Runtime]executorState{}
	sums, live, processes := s.workers.stats()
	for kind, sum := range sums {
		e := executorState{
			Runtimes: live[kind], Processes: processes[kind], Executions: sum.Executions, Outcomes: map[string]uint64{},
			WatchdogsStarted: sum.WatchdogsStarted, WatchdogsLive: sum.WatchdogsStarted - sum.WatchdogsEnded,
		}
		for o, n := range sum.Outcomes {
			e.Outcomes[executor.Outcome(o).String()] = n
		}
		a.Executors[kind] = e
	}
	a.Queue = len(s.workers.jobs)
	a.Mismatches = s.shadows.store.Mismatches()
	writeJSON(w, http.StatusOK, a)
}
