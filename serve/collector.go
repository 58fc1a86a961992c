package serve

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/shadow"
)

// A collector reads what the server's parts count anyway.
type collector struct{ *Server }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("ddsabench_"+name, help, labels, nil)
}

var (
	watchdogsLive    = desc("watchdog_threads", "OS threads that watch now.", "executor")
	watchdogsStarted = desc("watchdog_threads_started_total", "OS threads made to watch.", "executor")
	isolates         = desc("isolates", "JavaScript runtimes, those of the shadow apart.", "executor")
	processes        = desc("worker_processes", "Worker processes that live now, those of the shadow apart.", "executor")
	residents        = desc("worker_resident_bytes", "Resident memory of the worker processes, those of the shadow and shared pages included.", "executor")
	deaths           = desc("worker_deaths_total", "Executions that ended a worker process: it crashed, or hung and was killed.", "executor", "cause")
	busy             = desc("busy_workers", "Workers that analyze a file now.")
	queued           = desc("queue_length", "Requests that wait for a worker.")
	capacity         = desc("queue_capacity", "Requests that can wait for a worker.")
	panics           = desc("panics_total", "Panics on workers, each of which cost a runtime.")
	programHits      = desc("program_hits_total", "Requests whose rules were compiled already.")
	programMisses    = desc("program_misses_total", "Requests whose rules had to be compiled.")
	shadowFiles      = desc("shadow_files_total", "Files that the shadow compared.", "executor")
	shadowPairs      = desc("shadow_pairs_total", "Pairs of rule and file that the shadow compared.", "executor")
	shadowDropped    = desc("shadow_dropped_total", "Files not compared because the shadow's queue was full.", "executor")
	shadowWaiting    = desc("shadow_queue_length", "Files that wait for the shadow.", "executor")
	shadowMismatches = desc("shadow_mismatches_total", "Pairs that did not come out the same.", "executor", "kind")
	flagInfo         = desc("flag_info", "What the flag is set to, and by whom: always 1.", "setting", "source", "kill")
	flagError        = desc("flag_error", "1 if something is wrong with the flag's values or its file.")
	buildInfo        = desc("build_info", "The program: always 1.", "version", "v8")
)

// Describe implements prometheus.Collector: it says nothing, because labels
// come and go.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	count := func(d *prometheus.Desc, value uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	sums, live, alive := c.workers.stats()
	memory := c.workers.resident()
	for _, kind := range runtimes {
		sum, label := sums[kind], string(kind)
		gauge(watchdogsLive, float64(sum.WatchdogsStarted-sum.WatchdogsEnded), label)
		count(watchdogsStarted, sum.WatchdogsStarted, label)
		gauge(isolates, float64(live[kind]), label)
		gauge(processes, float64(alive[kind]), label)
		gauge(residents, float64(memory[kind]+c.shadows.resident(kind)), label)
		for _, o := range []executor.Outcome{executor.Crashed, executor.Hung} {
			count(deaths, sum.Outcomes[o], label, o.String())
		}
		counts := c.shadows.comparers[kind].Counts()
		count(shadowFiles, counts.Files, label)
		count(shadowPairs, counts.Pairs, label)
		count(shadowDropped, counts.Dropped, label)
		gauge(shadowWaiting, float64(counts.Waiting), label)
		for k, n := range counts.Mismatches {
			count(shadowMismatches, n, label, shadow.Kind(k).String())
		}
	}
	gauge(busy, float64(c.workers.busy.Load()))
	gauge(queued, float64(len(c.workers.jobs)))
	gauge(capacity, float64(cap(c.workers.jobs)))
	count(panics, c.workers.panicked.Load())
	hits, misses := c.programs.counts()
	count(programHits, hits)
	count(programMisses, misses)

	status, wrong := c.config.Flag.Status(), 0.0
	if status.Err != nil {
		wrong = 1
	}
	gauge(flagInfo, 1, status.Setting.String(), string(status.Source), string(status.Kill))
	gauge(flagError, wrong)
	gauge(buildInfo, 1, c.config.Version, c.config.V8)
}
