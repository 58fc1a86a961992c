package merge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// An Error is a record that does not belong to the others.
type Error struct {
	// Record is its index in the list.
	Record int
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("record %d: %v", e.Record+1, e.Err) }

// Unwrap returns what is wrong with the record.
func (e *Error) Unwrap() error { return e.Err }

// Records joins the records of all shards, in any order. They have to be of one
// program, one set of rules, and the same arms, rounds, seed and settings.
// Machines may differ: within a shard, arms ran side by side. An error about one
// of the records is an *Error.
func Records(list []*harness.Record) (*harness.Record, error) {
	if len(list) == 0 {
		return nil, errors.New("there is nothing to merge")
	}
	if err := complete(list); err != nil {
		return nil, err
	}
	whole := &harness.Record{Header: joinedHeader(list), Closing: &harness.Closing{}}
	for i := range list[0].Samples {
		s, err := joinedSample(list, &list[0].Samples[i])
		if err != nil {
			return nil, err
		}
		whole.Samples = append(whole.Samples, s)
	}
	for _, r := range list {
		whole.Differences = append(whole.Differences, r.Differences...)
		c := whole.Closing
		if r.Closing.Ended.After(c.Ended) {
			c.Ended, c.Load = r.Closing.Ended, r.Closing.Load
		}
		c.Interrupted = c.Interrupted || r.Closing.Interrupted
		if c.Stopped == "" {
			c.Stopped = r.Closing.Stopped
		}
	}
	return whole, nil
}

// complete finds the record that is none of a shard, there twice or different,
// and the shard that is missing.
func complete(list []*harness.Record) error {
	first := &list[0].Header
	found := map[int]int{} // the index in the list, by the shard's
	for i, r := range list {
		h := &r.Header
		if h.Shard == nil {
			return &Error{i, errors.New("it is no record of a shard; run compare with --shard")}
		}
		if h.Shard.Index < 1 || h.Shard.Index > h.Shard.Of {
			return &Error{i, fmt.Errorf("there is no shard %d/%d", h.Shard.Index, h.Shard.Of)}
		}
		if h.FindingsMethod != measure.FindingsMethod {
			return &Error{i, fmt.Errorf("its digests of findings are made by method %q, not %q, and do not add up; run the shard again",
				h.FindingsMethod, measure.FindingsMethod)}
		}
		if r.Closing == nil {
			return &Error{i, errors.New("it is cut off")}
		}
		if twin, there := found[h.Shard.Index]; there {
			return &Error{i, fmt.Errorf("record %d is of shard %d/%d, too", twin+1, h.Shard.Index, h.Shard.Of)}
		}
		found[h.Shard.Index] = i
		if err := same(first, h); err != nil {
			return &Error{i, err}
		}
		if len(r.Samples) != len(list[0].Samples) {
			return &Error{i, fmt.Errorf("it has %d samples, the first record %d", len(r.Samples), len(list[0].Samples))}
		}
	}
	var missing []string
	for n := 1; n <= first.Shard.Of && len(missing) < 10; n++ { // enough to see what is wrong
		if _, there := found[n]; !there {
			missing = append(missing, fmt.Sprintf("%d/%d", n, first.Shard.Of))
		}
	}
	if missing != nil {
		return fmt.Errorf("shards are missing: %s", strings.Join(missing, ", "))
	}
	return nil
}

// same returns an error for the first thing in which two shards' headers must
// not differ and do.
func same(a, b *harness.Header) error {
	for _, c := range []struct {
		what string
		a, b any
	}{
		{"number of shards", a.Shard.Of, b.Shard.Of},
		{"corpus", a.Shard.Whole.Digest, b.Shard.Whole.Digest},
		{"rules", a.Rules.Digest, b.Rules.Digest},
		{"arms", a.Arms, b.Arms},
		{"number of rounds", []int{a.Rounds, a.Warmup}, []int{b.Rounds, b.Warmup}},
		{"seed (give all shards one --seed)", a.Seed, b.Seed},
		{"minimum effect", a.MinEffect, b.MinEffect},
		{"workers", a.Workers, b.Workers},
		{"rule timeout", a.RuleTimeout, b.RuleTimeout},
		{"commit", a.Environment.Commit, b.Environment.Commit},
		{"Go", a.Environment.Go, b.Environment.Go},
		{"V8", a.Environment.V8, b.Environment.V8},
		{"variables", a.Environment.Variables, b.Environment.Variables},
		{"pinned cores", a.Pinned, b.Pinned},
	} {
		if fmt.Sprint(c.a) != fmt.Sprint(c.b) {
			return fmt.Errorf("%s %v, in the first record %v", c.what, c.b, c.a)
		}
	}
	return nil
}

// joinedHeader is the header of the whole.
func joinedHeader(list []*harness.Record) harness.Header {
	h := list[0].Header
	h.Corpus, h.Shard, h.Merged = h.Shard.Whole, nil, len(list)
	h.Command = slices.DeleteFunc(slices.Clone(h.Command), func(word string) bool { return strings.HasPrefix(word, "--shard=") })
	cpus := []string{h.Environment.CPU}
	for _, r := range list[1:] {
		e := r.Header.Environment
		if r.Header.Started.Before(h.Started) {
			h.Started = r.Header.Started
		}
		if h.Uncounted == "" {
			h.Uncounted = r.Header.Uncounted
		}
		if !slices.Contains(cpus, e.CPU) {
			cpus = append(cpus, e.CPU)
		}
	}
	h.Environment.CPU = strings.Join(cpus, " and ")
	return h
}

// joinedSample joins the samples of all records that are like s.
func joinedSample(list []*harness.Record, s *harness.Sample) (harness.Sample, error) {
	sum := harness.Sample{
		Round: s.Round, Position: s.Position, Arm: s.Arm, Warmup: s.Warmup, Traced: s.Traced,
		Series: harness.Series{At: []time.Duration{}, RSS: []uint64{}, Threads: []int{}},
	}
	for i, r := range list {
		at := slices.IndexFunc(r.Samples, func(o harness.Sample) bool { return o.Round == s.Round && o.Arm == s.Arm })
		if at < 0 || r.Samples[at].Position != s.Position || r.Samples[at].Traced != s.Traced {
			return sum, &Error{i, fmt.Errorf("it has no sample of %s in round %d, in that order", s.Arm, s.Round)}
		}
		if err := addSample(&sum, &r.Samples[at], i == 0); err != nil {
			return sum, &Error{i, err}
		}
	}
	if sum.Void != nil {
		sum.Figures, sum.Counted, sum.Empty = nil, nil, nil
	}
	return sum, nil
}
