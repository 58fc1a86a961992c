package harness

import (
	"math"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A Unit is the base unit of a row's values; printing scales them.
type Unit string

// The units.
const (
	Count     Unit = "count"
	Seconds   Unit = "s"
	Bytes     Unit = "B"
	PerSecond Unit = "1/s"
)

// A Row is one figure of a report.
type Row struct {
	// Key names the row in machine-readable reports, Name in others.
	Key, Name string
	Unit      Unit
	// Explain says in a sentence or two what the figure is.
	Explain string
	// Value takes the figure, in Unit, from a sample that has Figures; NaN if it
	// was not measured.
	Value func(*Sample) float64
}

// Rows are the figures of a comparison, in the order in which they are printed.
var Rows = []Row{
	total("files", "files", "Files analyzed.", func(c Counts) uint64 { return c.Files }),
	total("pairs", "pairs", "Rules run over files: for each file, the rules of its language.",
		func(c Counts) uint64 { return c.Pairs }),
	total("executions", "executions", "Pairs that entered V8, because the rule's query matched.",
		func(c Counts) uint64 { return c.Executions }),
	total("visits", "visits", "Matches handed to a rule's visit function.", func(c Counts) uint64 { return c.Visits }),
	total("violations", "violations", "Violations found.", func(c Counts) uint64 { return c.Violations }),
	{
		"timeouts", "timeouts", Count, "Pairs that ran out of their time limit.",
		func(s *Sample) float64 { return float64(s.Figures.Outcomes[executor.Timeout.String()]) },
	},
	{"errors", "errors", Count, "Pairs that failed in any other way: script error, memory limit, watchdog not started.", countErrors},
	{
		"unparsed", "unparsed files", Count, "Files that could not be read, or not parsed in time. No rule ran over them.",
		func(s *Sample) float64 { return float64(s.Figures.Unparsed) },
	},
	duration("wall", "wall clock", "The whole job, from the first file to the last: reading, parsing, matching and executing.",
		func(f *Figures) time.Duration { return f.Wall }),
	duration("in_executions", "time in executions", "Time around each execution, watching included, summed over the workers. This is what the arms differ in.",
		func(f *Figures) time.Duration { return f.InExecutions }),
	{
		"per_execution", "  per execution", Seconds, "Time in executions, divided by their number.",
		func(s *Sample) float64 {
			return ratio(s.Figures.InExecutions.Seconds(), total64(s, func(c Counts) uint64 { return c.Executions }))
		},
	},
	duration("in_v8", "time inside V8", "The part of the time in executions inside the call into V8, summed. A control: equal work, so it should be the same in all arms.",
		func(f *Figures) time.Duration { return f.InV8 }),
	duration("load", "time loading", "Reading, parsing and matching, summed over the workers. A control, too.",
		func(f *Figures) time.Duration { return f.Load }),
	{
		"rate", "executions/s", PerSecond, "Executions divided by the wall clock.",
		func(s *Sample) float64 {
			return ratio(total64(s, func(c Counts) uint64 { return c.Executions }), s.Figures.Wall.Seconds())
		},
	},
	duration("cpu_user", "CPU user", "Processor time in the program itself, all threads.",
		func(f *Figures) time.Duration { return f.Job.User }),
	duration("cpu_system", "CPU system", "Processor time in the kernel, all threads. Making and ending threads is counted here.",
		func(f *Figures) time.Duration { return f.Job.System }),
	memory("peak_rss", "peak RSS", "Largest resident memory in the job (VmHWM). Idle threads barely show in it. With +process the sum of the processes' peaks.",
		func(m Memory) uint64 { return m.PeakRSS }),
	memory("peak_virtual", "peak virtual", "Largest virtual size of the process (VmPeak), start-up included. Thread stacks show in it.",
		func(m Memory) uint64 { return m.PeakVirtual }),
	memory("page_tables", "page tables", "Memory for page tables at the end of the job (VmPTE).",
		func(m Memory) uint64 { return m.PageTables }),
	{
		"peak_threads", "peak OS threads", Count, "Most threads that the parent saw alive at once. It looks every 50 ms, so shorter spikes are missed; with +unsampled never.",
		func(s *Sample) float64 {
			if s.PeakThreads == 0 { // nobody looked: a process has one at least
				return math.NaN()
			}
			return float64(s.PeakThreads)
		},
	},
	{
		"watchdogs", "watchdogs started", Count, "OS threads started to watch executions, as the executors count them.",
		func(s *Sample) float64 { return float64(s.Figures.WatchdogsStarted) },
	},
	{
		"switches", "context switches", Count, "Times that a thread waited or was made to give way, all threads.",
		func(s *Sample) float64 { return float64(s.Figures.Job.Voluntary + s.Figures.Job.Involuntary) },
	},
	{
		"minor_faults", "minor faults", Count, "Memory pages touched for the first time, or again after they were given back.",
		func(s *Sample) float64 { return float64(s.Figures.Job.MinorFaults) },
	},
}

func total64(s *Sample, of func(Counts) uint64) float64 {
	var n uint64
	for _, c := range s.Figures.Languages {
		n += of(c)
	}
	return float64(n)
}

func total(key, name, explain string, of func(Counts) uint64) Row {
	return Row{key, name, Count, explain, func(s *Sample) float64 { return total64(s, of) }}
}

func duration(key, name, explain string, of func(*Figures) time.Duration) Row {
	return Row{key, name, Seconds, explain, func(s *Sample) float64 { return of(s.Figures).Seconds() }}
}

func memory(key, name, explain string, of func(Memory) uint64) Row {
	return Row{key, name, Bytes, explain, func(s *Sample) float64 { return float64(of(s.Figures.Memory)) }}
}

func countErrors(s *Sample) float64 {
	var n uint64
	for name, count := range s.Figures.Outcomes {
		if name != executor.OK.String() && name != executor.Timeout.String() {
			n += count
		}
	}
	return float64(n)
}

// ratio is a / b, and 0 where b is.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
