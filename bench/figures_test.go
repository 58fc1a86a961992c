package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/harness/measure"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// watchingLimit is the most that ddsa's watching may add to an execution, in ns.
const watchingLimit = 30

// TestFigures prints the tables of docs/performance.md. It is not a test: it
// asserts nothing about time.
func TestFigures(t *testing.T) {
	if os.Getenv("MICROBENCH") == "" {
		t.Skip("prints figures for some 30 seconds: make microbench")
	}
	lockThread(t)
	watching, costs := watchingFigures(t)
	byRule, watched := ruleFigures(t)
	limits := limitFigures(t, costs, watched)

	var b bytes.Buffer
	e := measure.Environment()
	fmt.Fprintf(&b, "%d cores, %s, %s, %s, V8 %s, load %.1f\n", e.Cores, e.CPU, e.Kernel, e.Go, ddsabench.V8Version(), e.Load.Average)
	for _, table := range []*table{limits, watching, byRule, stepFigures(t)} {
		if err := table.print(&b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stdout.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// A watchingCost is what a watchdog adds to an execution of the no-op rule, in
// ns, with the bounds of its 95 % interval; none's is the control.
type watchingCost struct {
	execution, low, estimate, high float64
	allocations                    float64
}

// watchingFigures compares each watchdog with none. Two runtimes that do the same
// differ by some per cent, by where their memory came to lie; so a pair of the
// paired comparison is a pair of fresh runtimes, measured in rounds. Each
// watchdog has rounds of its own with none: after a block of one that wakes
// threads, these and Go's scheduler are busy for a while, at the next one's cost.
func watchingFigures(t *testing.T) (*table, map[string]watchingCost) {
	const sets, rounds = 20, 60
	references, times := make([][]float64, len(watchdogs)), make([][]float64, len(watchdogs))
	allocations := make([]float64, len(watchdogs))
	for range sets {
		for i, dog := range watchdogs {
			pair := make([]*subject, 2)
			for _, k := range rand.Perm(2) {
				pair[k] = noop.open(t, []watchdog{none, dog}[k])
				pair[k].warm()
			}
			ns := medians(rounds, pair)
			references[i], times[i] = append(references[i], ns[0]), append(times[i], ns[1])
			allocations[i], _ = pair[1].allocations()
			for _, s := range pair {
				s.close()
			}
		}
	}
	costs := map[string]watchingCost{}
	for i, dog := range watchdogs {
		cost := watchingCost{execution: median(times[i]), allocations: allocations[i]}
		if change, ok := stats.PairedChange(references[i], times[i]); ok {
			base := median(references[i])
			cost.estimate = (change.Ratio - 1) * base
			cost.low, cost.high = (change.Interval.Low-1)*base, (change.Interval.High-1)*base
		}
		costs[dog.name] = cost
	}
	figures := &table{
		title:  fmt.Sprintf("What watching adds to an execution of the no-op rule (%d pairs of runtimes)", sets),
		header: []string{"watchdog", "execution", "minus none", "95 % interval", "times ddsa's upper end", fmt.Sprintf("times %d ns", watchingLimit), "allocations"},
	}
	for _, dog := range watchdogs {
		c := costs[dog.name]
		figures.add(dog.name, duration(c.execution), duration(c.estimate), duration(c.low)+" to "+duration(c.high),
			times1(c.estimate, costs[ddsa.Name].high), times1(c.estimate, watchingLimit), fmt.Sprint(c.allocations))
	}
	return figures, costs
}

// times1 is how many times of bound x is, "-" where that means nothing.
func times1(x, bound float64) string {
	if bound <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", x/bound)
}

// ruleFigures has each rule under each watchdog. It returns the medians of ddsa
// by the workload's name, too.
func ruleFigures(t *testing.T) (*table, map[string]float64) {
	const rounds = 60
	figures := &table{title: "One execution, by rule and watchdog (medians)", header: []string{"rule"}}
	for _, dog := range watchdogs {
		figures.header = append(figures.header, dog.name)
	}
	watched := map[string]float64{}
	for _, w := range workloads() {
		times := map[string]float64{}
		// Not side by side, for the reason that watchingFigures has.
		for _, group := range [][]watchdog{quick, waking} {
			var subjects []*subject
			for _, dog := range group {
				one := w.open(t, dog)
				one.warm()
				subjects = append(subjects, one)
			}
			for i, ns := range medians(rounds, subjects) {
				times[group[i].name] = ns
				subjects[i].close()
			}
		}
		row := []string{w.name}
		for _, dog := range watchdogs {
			row = append(row, duration(times[dog.name]))
		}
		watched[w.name] = times[ddsa.Name]
		figures.add(row...)
	}
	return figures, watched
}

// stepFigures has what each step of an execution adds.
func stepFigures(t *testing.T) *table {
	const rounds = 400
	var subjects []*subject
	for _, s := range steps {
		one := s.open(t)
		one.warm()
		subjects = append(subjects, one)
	}
	times := medians(rounds, subjects)
	figures := &table{title: "What each step costs", header: []string{"step", "measured", "the step"}}
	for i, s := range steps {
		figures.add(s.name, fmt.Sprintf("%.1f ns", times[i]), fmt.Sprintf("%.1f ns", s.cost(i, times)))
		subjects[i].close()
	}
	return figures
}

// limitFigures are the figures that have a limit.
func limitFigures(t *testing.T, costs map[string]watchingCost, watched map[string]float64) *table {
	figures := &table{title: "Figures that have a limit", header: []string{"figure", "limit", "measured"}}
	bound := costs[ddsa.Name].high
	figures.add("ddsa minus none, upper end of the 95 % interval", fmt.Sprintf("%d ns", watchingLimit), duration(bound))
	for _, dog := range []struct {
		name  string
		least int
	}{{"legacy", 500}, {"afterfunc", 5}} {
		figures.add(dog.name+" minus none, times that upper end", fmt.Sprintf("at least %d", dog.least), times1(costs[dog.name].estimate, bound))
	}
	figures.add("no-op rule, watched by ddsa", "400 ns", duration(costs[ddsa.Name].execution))
	figures.add("its allocations", "0", fmt.Sprint(costs[ddsa.Name].allocations))
	figures.add("10 matches touched: start, end, text", "3 µs", duration(watched["touched-10"]))
	figures.add("1,000 matches untouched", "20 µs", duration(watched["untouched-1000"]))
	figures.add("copies into V8 of a 20 kB text that 15 rules read", "1", fmt.Sprint(textsMade(t)))
	figures.add("two runtimes on two threads, times one", "at least 1.8", fmt.Sprintf("%.2f", twoRuntimes(t)))
	figures.add("two worker processes, times one", "at least 1.9", fmt.Sprintf("%.2f", twoWorkers(t)))
	return figures
}

// A step's base is a step.
func TestStepsHaveTheirBase(t *testing.T) {
	for _, s := range steps {
		if s.base != "" && !slices.ContainsFunc(steps, func(other step) bool { return other.name == s.base }) {
			t.Errorf("%s: there is no %q", s.name, s.base)
		}
	}
}
