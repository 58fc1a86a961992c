package compare

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// counting makes samples that are far slower than others, as tracing does.
func counting(void string) *sampler {
	return &sampler{run: func(_ int, spec measure.JobSpec, _ measure.Events) (harness.Sample, error) {
		if spec.Arm == void {
			return harness.Sample{Void: &harness.Void{Cause: harness.Uncounted, Detail: "not permitted"}}, nil
		}
		s := good("f", time.Hour)
		s.Figures.Executions = 10
		s.Counted = &harness.Counted{Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.ThreadsCreated: 12}}
		s.Empty = &harness.Counted{Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.ThreadsCreated: 2}}
		return s, nil
	}}
}

func plainSampler() *sampler {
	return &sampler{run: func(int, measure.JobSpec, measure.Events) (harness.Sample, error) {
		return good("f", time.Second), nil
	}}
}

// The counted pass comes last and changes no figure of the rounds.
func TestCountedPass(t *testing.T) {
	without := Summarize(run(t, t.Context(), options(6), plainSampler()))

	var said []Progress
	o := options(6)
	o.Counting = counting("")
	o.Progress = func(p Progress) { said = append(said, p) }
	rec := run(t, t.Context(), o, plainSampler())
	for i, s := range rec.Samples {
		if s.Traced != (i >= 14) || s.Traced && (s.Round != 7 || s.Warmup || s.Arm != o.Header.Arms[i-14]) {
			t.Errorf("sample %d: %+v", i, s)
		}
	}
	if last := said[len(said)-1]; len(rec.Samples) != 16 || !last.Traced || last.Sample != 16 || last.Samples != 16 || last.Round != 8 || last.Rounds != 8 {
		t.Errorf("%d samples, last progress %+v", len(rec.Samples), last)
	}
	with := Summarize(rec)
	if diff := cmp.Diff(without.Rows, with.Rows); diff != "" {
		t.Errorf("the rows differ (-without +with):\n%s", diff)
	}
	if with.Blocks != 6 || with.Err() != nil || len(with.Voids) != 0 || len(with.Counted) != 2 {
		t.Fatalf("%+v", with)
	}
	if c := with.Counted[1]; c.Arm != "ddsa" || c.Executions != 10 || c.Counted.Counts[harness.ThreadsCreated] != 12 ||
		c.Empty.Counts[harness.ThreadsCreated] != 2 {
		t.Errorf("counted: %+v", c)
	}
	diff, err := Diff(rec, rec)
	if err != nil || len(diff[1].Counted) != 2 || diff[1].Counted[1].Arm != "ddsa new" || diff[1].Main().Cells[1].N != 6 {
		t.Errorf("diff: %+v, %v", diff, err)
	}
}

// A child that could not be counted is no gap in the rounds.
func TestCountedPassVoid(t *testing.T) {
	o := options(6)
	o.Counting = counting("legacy")
	s := Summarize(run(t, t.Context(), o, plainSampler()))
	if s.Err() != nil || len(s.Voids) != 0 || len(s.Counted) != 2 || len(s.Notes) != 0 {
		t.Fatalf("%+v", s)
	}
	if c := s.Counted[0]; c.Counted != nil || c.Void == nil || s.Counted[1].Counted == nil {
		t.Errorf("counted: %+v", s.Counted)
	}
}

// Findings count there as anywhere, and an interruption loses nothing.
func TestCountedPassEnds(t *testing.T) {
	o := options(1)
	o.Counting = plainSampler()
	o.Counting.(*sampler).run = func(int, measure.JobSpec, measure.Events) (harness.Sample, error) {
		s := good("other", time.Second)
		s.Counted = &harness.Counted{Source: harness.Proc, Counts: map[harness.Counter]uint64{}}
		return s, nil
	}
	if s := Summarize(run(t, t.Context(), o, plainSampler())); s.Err() != ErrFindingsDiffer {
		t.Errorf("%v", s.Err())
	}

	ctx, cancel := context.WithCancel(t.Context())
	o.Counting.(*sampler).run = func(int, measure.JobSpec, measure.Events) (harness.Sample, error) {
		cancel()
		return harness.Sample{}, ctx.Err()
	}
	if s := Summarize(run(t, ctx, o, plainSampler())); s.Err() != ErrInterrupted || s.Blocks != 1 || len(s.Counted) != 0 {
		t.Errorf("%v, %d blocks", s.Err(), s.Blocks)
	}
}
