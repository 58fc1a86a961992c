package kept

import (
	"fmt"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// The figures of the original experiment, as published: a Rust analyzer on
// macOS, a thread per execution before, a thread per runtime after.
const (
	originalJavaScript = 2_075 * 7
	originalTypeScript = 66_178 * 15
	originalBefore     = 238.0 // s
	originalAfter      = 199.0 // s
)

// original puts each figure of the original beside ours.
func (r *Run) original(b *strings.Builder) {
	m := r.Records[Main]
	before, after := m.Header.Arms[0], m.Header.Arms[len(m.Header.Arms)-1]
	t := begin(b, "The original's figures and these", "figure", "original", "here")
	row := func(name, original string, of func(arm string) string) {
		x, y := of(before), of(after)
		if x != y {
			x += " → " + y
		}
		t.row(name, original, x)
	}
	each := func(f func(*harness.Figures) float64, form func(float64) string) func(string) string {
		return func(arm string) string { return form(median(m, arm, f)) }
	}
	row("compared", "thread per execution → per runtime", func(arm string) string { return arm })
	row("JavaScript pairs", count(originalJavaScript), each(pairsOf(executor.JavaScript), count))
	row("TypeScript pairs", count(originalTypeScript), each(pairsOf(executor.TypeScript), count))
	row("pairs", count(originalJavaScript+originalTypeScript), each(pairs, count))
	row("pairs that entered V8", "-", each(executions, count))
	row("wall clock", seconds(originalBefore)+" → "+seconds(originalAfter), each(wall, seconds))
	t.row("  change", change(originalBefore, originalAfter), change(median(m, before, wall), median(m, after, wall)))
	saved := median(m, before, wall) - median(m, after, wall)
	t.row("  saved per pair", micros((originalBefore-originalAfter)/(originalJavaScript+originalTypeScript)), micros(perPair(m, before, saved)))
	row("time in executions, per execution", "-", func(arm string) string {
		return micros(ratio(median(m, arm, duration(inExecutions)), median(m, arm, executions)))
	})
	row("watchdog threads", "one per execution → one per runtime", each(func(f *harness.Figures) float64 { return float64(f.WatchdogsStarted) }, count))
	for _, pass := range []struct{ record, name string }{{NoStackCache, "stack cache off"}, {Main, "stack cache on"}} {
		r.mappings(row, pass.record, pass.name)
	}
}

func inExecutions(f *harness.Figures) time.Duration { return f.InExecutions }

// mappings are the rows of a counted pass.
func (r *Run) mappings(row func(name, original string, of func(string) string), record, name string) {
	counted := map[string]*harness.Counted{}
	if c := r.Records[record]; c != nil {
		for i := range c.Samples {
			if s := &c.Samples[i]; s.Counted != nil {
				counted[s.Arm] = s.Counted
			}
		}
	}
	if len(counted) == 0 {
		return
	}
	add := func(what, original string, of func(*harness.Counted) string) {
		row(what+", "+name, original, func(arm string) string {
			if c := counted[arm]; c != nil {
				return of(c) + inexact(c)
			}
			return "-"
		})
	}
	add("threads created, counted", "-", func(c *harness.Counted) string { return count(float64(c.Counts[harness.ThreadsCreated])) })
	allocations := func(of func(*harness.Allocations) string) func(*harness.Counted) string {
		return func(c *harness.Counted) string {
			if c.Allocations == nil {
				return "-"
			}
			return of(c.Allocations)
		}
	}
	add("anonymous VM, persistent", "16 → 15", allocations(func(a *harness.Allocations) string { return count(float64(a.Persistent)) }))
	add("anonymous VM, transient", "382,810 → 89", allocations(func(a *harness.Allocations) string { return count(float64(a.Transient)) }))
	add("anonymous VM, total bytes", "346.26 GiB → 96.73 MiB", allocations(func(a *harness.Allocations) string { return bytesOf(a.Bytes) }))
}

// inexact says that a count is too low, or nothing.
func inexact(c *harness.Counted) string {
	if c.LostEvents == 0 {
		return ""
	}
	return fmt.Sprintf(" (inexact: %s events lost)", count(float64(c.LostEvents)))
}

// perPair divides a time by an arm's number of pairs.
func perPair(r *harness.Record, arm string, x float64) float64 {
	return ratio(x, median(r, arm, pairs))
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
