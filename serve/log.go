package serve

import (
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/shadow"
)

// outcome is how an execution ended that gave err.
func outcome(err error) executor.Outcome {
	var e *executor.Error
	switch {
	case err == nil:
		return executor.OK
	case errors.As(err, &e):
		return e.Outcome
	}
	return executor.Internal
}

// failures is what the log says of the rules of a request that failed: how many
// in which way, and the first one's name.
func failures(results []executor.PairResult) []slog.Attr {
	outcomes, first := map[string]int{}, ""
	for _, p := range results {
		if p.Err == nil {
			continue
		}
		if len(outcomes) == 0 {
			first = short(p.Rule.Name)
		}
		outcomes[outcome(p.Err).String()]++
	}
	if len(outcomes) == 0 {
		return nil
	}
	return []slog.Attr{slog.Any("outcomes", outcomes), slog.String("failed_rule", first)}
}

// logDeaths warns of each rule of a job, or the parsing of its file, that ended
// a worker process.
func logDeaths(log *slog.Logger, kind flags.Runtime, j *job) {
	died := func(rule string, err error) {
		if o := outcome(err); o == executor.Crashed || o == executor.Hung {
			log.Warn("worker process died", "executor", string(kind), "cause", o.String(), "rule", short(rule), "path", short(j.task.path))
		}
	}
	died("", j.err)
	for _, p := range j.results {
		if p.Err != nil {
			died(p.Rule.Name, p.Err)
		}
	}
}

// mismatchesEvery is how often the log may say that there are mismatches.
const mismatchesEvery = time.Second

// logMismatches logs the latest mismatch, and how many more there are since the
// last time it looked, until end is closed and once after that.
func logMismatches(log *slog.Logger, store *shadow.Store, end <-chan struct{}) {
	tick := time.NewTicker(mismatchesEvery)
	defer tick.Stop()
	var last time.Time
	for ended := false; !ended; {
		select {
		case <-tick.C:
		case <-end:
			ended = true
		}
		all := store.Mismatches()
		fresh := slices.IndexFunc(all, func(m shadow.Mismatch) bool { return m.Time.Equal(last) })
		if fresh < 0 {
			fresh = len(all) // as far as the store goes back
		}
		if fresh == 0 {
			continue
		}
		m := all[0]
		last = m.Time
		log.Info("shadow mismatch", "kind", m.Kind.String(), "executor", m.Executor, "rule", m.Rule, "path", m.Path, "more", fresh-1)
	}
}
