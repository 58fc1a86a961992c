package merge

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// addSample adds a shard's sample. The machine's loads add up like the times, so
// that they still fit each other.
func addSample(sum, s *harness.Sample, first bool) error {
	sum.Start += s.Start
	sum.End += s.End
	addLoad(&sum.LoadBefore, s.LoadBefore)
	addLoad(&sum.LoadAfter, s.LoadAfter)
	sum.Startup += s.Startup
	sum.PeakThreads = max(sum.PeakThreads, s.PeakThreads)
	if s.Void != nil && sum.Void == nil {
		sum.Void = s.Void
	}
	if s.Void != nil || sum.Void != nil {
		return nil
	}
	if first {
		figures := *s.Figures
		figures.TimedOut = slices.Clone(s.Figures.TimedOut)
		figures.Languages, figures.Outcomes = maps.Clone(s.Figures.Languages), maps.Clone(s.Figures.Outcomes)
		sum.Figures, sum.Counted, sum.Empty = &figures, cloneCounted(s.Counted), cloneCounted(s.Empty)
		return nil
	}
	if err := addFigures(sum.Figures, s.Figures); err != nil {
		return err
	}
	var err error
	if sum.Counted, err = addCounted(sum.Counted, s.Counted); err != nil {
		return err
	}
	if sum.Empty == nil || s.Empty == nil { // where one is not known, the sum is not
		sum.Empty = nil
		return nil
	}
	sum.Empty, err = addCounted(sum.Empty, s.Empty)
	return err
}

func addLoad(sum *harness.Load, l harness.Load) {
	sum.Average = max(sum.Average, l.Average)
	sum.Steal += l.Steal
	sum.Busy += l.Busy
}

// maxTimedOut bounds the list of timed-out pairs, as in a sample of the whole.
const maxTimedOut = 1000

func addFigures(sum, f *harness.Figures) (err error) {
	if sum.Findings, err = measure.AddFindings(sum.Findings, f.Findings); err != nil {
		return err
	}
	sum.TimedOut = append(sum.TimedOut, f.TimedOut...)
	measure.SortPairs(sum.TimedOut)
	sum.TimedOut = sum.TimedOut[:min(len(sum.TimedOut), maxTimedOut)]
	switch { // without executions there is no histogram to miss
	case sum.Executions == 0:
		sum.Latency = f.Latency
	case f.Executions > 0:
		sum.Latency = addLatency(sum.Latency, f.Latency)
	}
	m := sum.Memory
	addNumbers(reflect.ValueOf(sum).Elem(), reflect.ValueOf(f).Elem())
	sum.Memory = largest(m, f.Memory)
	return nil
}

// largest are peaks of several processes that did not run at once, and what is
// left of the largest.
func largest(a, b harness.Memory) harness.Memory {
	return harness.Memory{
		PeakRSS: max(a.PeakRSS, b.PeakRSS), PeakReset: a.PeakReset && b.PeakReset, RSS: max(a.RSS, b.RSS),
		PeakVirtual: max(a.PeakVirtual, b.PeakVirtual), Virtual: max(a.Virtual, b.Virtual),
		PageTables: max(a.PageTables, b.PageTables), Threads: max(a.Threads, b.Threads),
	}
}

// addNumbers adds all numbers in b, at any depth of structs and maps, to those
// in sum. It leaves strings, lists and pointers alone.
func addNumbers(sum, b reflect.Value) {
	switch sum.Kind() {
	case reflect.Int, reflect.Int64:
		sum.SetInt(sum.Int() + b.Int())
	case reflect.Uint64:
		sum.SetUint(sum.Uint() + b.Uint())
	case reflect.Struct:
		for i := range sum.NumField() {
			addNumbers(sum.Field(i), b.Field(i))
		}
	case reflect.Map:
		for _, key := range b.MapKeys() {
			both := reflect.New(sum.Type().Elem()).Elem()
			if there := sum.MapIndex(key); there.IsValid() {
				both.Set(there)
			}
			addNumbers(both, b.MapIndex(key))
			sum.SetMapIndex(key, both)
		}
	}
}

// addLatency joins two histograms, nil where either is not known.
func addLatency(a, b *harness.Latency) *harness.Latency {
	if a == nil || b == nil {
		return nil
	}
	counts := map[time.Duration]uint64{}
	for _, l := range []*harness.Latency{a, b} {
		for i, upto := range l.Upto {
			counts[upto] += l.Count[i]
		}
	}
	sum := &harness.Latency{Upto: slices.Sorted(maps.Keys(counts))}
	for _, upto := range sum.Upto {
		sum.Count = append(sum.Count, counts[upto])
	}
	return sum
}

func cloneCounted(c *harness.Counted) *harness.Counted {
	if c == nil {
		return nil
	}
	clone := *c
	clone.Counts = maps.Clone(c.Counts)
	if c.Allocations != nil {
		a := *c.Allocations
		clone.Allocations = &a
	}
	return &clone
}

// addCounted adds what was counted in the same way.
func addCounted(sum, c *harness.Counted) (*harness.Counted, error) {
	if sum == nil && c == nil {
		return nil, nil
	}
	if sum == nil || c == nil {
		return nil, errors.New("a counted pass in some shards only; use --count on or off")
	}
	if sum.Source != c.Source || sum.StackCache != c.StackCache || (sum.Allocations == nil) != (c.Allocations == nil) {
		return nil, fmt.Errorf("counted by %s (stack cache %v), in the first record by %s (%v)",
			c.Source, c.StackCache, sum.Source, sum.StackCache)
	}
	addNumbers(reflect.ValueOf(sum.Counts), reflect.ValueOf(c.Counts))
	if sum.Allocations != nil {
		addNumbers(reflect.ValueOf(sum.Allocations).Elem(), reflect.ValueOf(c.Allocations).Elem())
	}
	if c.PeakFrom == "" || sum.PeakFrom == "" {
		sum.PeakThreads, sum.PeakFrom = 0, ""
	}
	sum.PeakThreads = max(sum.PeakThreads, c.PeakThreads)
	if sum.PeakFrom == "" {
		sum.PeakThreads = 0
	}
	sum.LostEvents += c.LostEvents
	for _, note := range c.Notes {
		if !slices.Contains(sum.Notes, note) {
			sum.Notes = append(slices.Clip(sum.Notes), note)
		}
	}
	return sum, nil
}
