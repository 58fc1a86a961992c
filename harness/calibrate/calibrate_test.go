package calibrate_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/calibrate"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/measure"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A machine is a sampler whose executions cost 10 µs and what the arm says, with
// noise. A sample takes a while of the bubble's time.
type machine struct {
	rng   *rand.Rand
	noise float64
	takes time.Duration
	alter func(arm.Arm, *harness.Sample)
	arms  map[string]int
}

const executions = 50000

func newMachine(noise float64) *machine {
	return &machine{rng: rand.New(rand.NewPCG(1, 1)), noise: noise, takes: 1500 * time.Millisecond, arms: map[string]int{}}
}

func (m *machine) Run(ctx context.Context, spec measure.JobSpec, _ measure.Events) (harness.Sample, error) {
	select {
	case <-ctx.Done():
		return harness.Sample{}, ctx.Err()
	case <-time.After(m.takes):
	}
	a, err := arm.Parse(spec.Arm)
	if err != nil {
		return harness.Sample{}, err
	}
	m.arms[spec.Arm]++
	work := 0.5 * math.Exp(m.noise*m.rng.NormFloat64())
	s := harness.Sample{Figures: &harness.Figures{
		Findings: "f", Executions: executions, Memory: harness.Memory{PeakReset: true},
		Languages:    map[executor.Language]harness.Counts{},
		Outcomes:     map[string]uint64{},
		InExecutions: time.Duration(work*float64(time.Second)) + executions*a.Delay,
	}}
	if m.alter != nil {
		m.alter(a, &s)
	}
	return s, nil
}

func options(records map[string]*bytes.Buffer) calibrate.Options {
	return calibrate.Options{
		Options: compare.Options{Header: harness.Header{Rounds: 10, Warmup: 1, Workers: 2, Seed: 1, MinEffect: 0.01, Command: []string{}}},
		Arm:     arm.Arm{Executor: "ddsa"},
		Record: func(phase string) (*harness.Writer, error) {
			records[phase] = &bytes.Buffer{}
			return harness.NewWriter(records[phase]), nil
		},
	}
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := map[string]*bytes.Buffer{}
		o := options(records)
		var budgets time.Duration
		o.Phase = func(arms []string, budget time.Duration) {
			if arms[0] != "ddsa" || len(arms) != 2 {
				t.Errorf("arms %q", arms)
			}
			budgets += budget
		}
		m := newMachine(0.03)
		r, err := calibrate.Run(t.Context(), o, m)
		if err != nil {
			t.Fatal(err)
		}
		if r.Took > calibrate.DefaultBudget || budgets > calibrate.DefaultBudget || r.Rounds != 10 || r.Samples < 400 {
			t.Errorf("took %v of %v, %d samples", r.Took, budgets, r.Samples)
		}
		if r.Noise < 0.035 || r.Noise > 0.05 { // 3 % for each of two
			t.Errorf("noise %v", r.Noise)
		}
		f := r.False
		if f.Pool < 150 || f.AsCame.Of < 15 || f.Resampled.Of != 10000 || f.Resampled.Share() > 0.057 || f.Resampled.Share() < 0.01 {
			t.Errorf("false verdicts: %+v", f)
		}
		if f.AsCame.Upper <= f.AsCame.Share() || f.Resampled.Upper > 0.06 {
			t.Errorf("bounds: %+v", f)
		}
		// By the t-test's power 10 rounds with 4.2 % noise find 4.9 % of 10 µs;
		// this method and the pool's own noise move that somewhat.
		d := r.Delay
		if d.Smallest < 400*time.Nanosecond || d.Smallest > 700*time.Nanosecond || math.Abs(d.Effect-d.Smallest.Seconds()*executions/0.5) > 0.005 {
			t.Errorf("smallest delay %v, effect %v", d.Smallest, d.Effect)
		}
		if !d.Confirmed || d.Found.Resampled.Share() < calibrate.Power || d.Found.AsCame.Of == 0 || d.Change.Ratio < 1.03 || d.Measured <= 0 {
			t.Errorf("measured delay: %+v", d)
		}
		for phase, b := range records {
			if record, err := harness.Read(b); err != nil || !record.Closing.Interrupted {
				t.Errorf("record %s: %v", phase, err)
			}
		}
		if len(m.arms) < 3 || m.arms["ddsa+again"] == 0 {
			t.Errorf("arms %v", m.arms)
		}
	})
}

// Less noise, smaller delays.
func TestQuietMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(map[string]*bytes.Buffer{})
		o.Header.MinEffect = 0
		r, err := calibrate.Run(t.Context(), o, newMachine(0.003))
		if err != nil || r.Delay.Smallest < 30*time.Nanosecond || r.Delay.Smallest > 80*time.Nanosecond {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// A machine that hides delays has none of them confirmed, also if the time
// suffices for one attempt only.
func TestUnconfirmed(t *testing.T) {
	for budget, arms := range map[time.Duration]int{0: 4, 150 * time.Second: 3} {
		synctest.Test(t, func(t *testing.T) {
			m := newMachine(0.03)
			m.alter = func(a arm.Arm, s *harness.Sample) { s.Figures.InExecutions -= executions * a.Delay * 7 / 8 }
			o := options(map[string]*bytes.Buffer{})
			o.Budget = budget
			r, err := calibrate.Run(t.Context(), o, m)
			if err != nil || r.Delay.Confirmed || r.Delay.Found.Pool == 0 || len(m.arms) != arms {
				t.Errorf("%+v, %v, arms %v", r, err, m.arms)
			}
		})
	}
}

// A delay that is found is not confirmed by few rounds.
func TestTooFewToConfirm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(map[string]*bytes.Buffer{})
		o.Budget = 150 * time.Second
		m := newMachine(0.003)
		m.alter = func(a arm.Arm, s *harness.Sample) { s.Figures.InExecutions += executions * a.Delay } // twice as long
		r, err := calibrate.Run(t.Context(), o, m)
		if err != nil || r.Delay.Confirmed || r.Delay.Found.Pool >= 20 || r.Delay.Found.Resampled.Share() < calibrate.Power {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// Whatever the noise, both figures are there in time: the rate, and a delay,
// confirmed or not.
func TestAnyNoise(t *testing.T) {
	for _, noise := range []float64{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			m := newMachine(noise)
			base := m.takes
			m.alter = func(_ arm.Arm, s *harness.Sample) { // as long as it says
				m.takes = base + s.Figures.InExecutions/2
			}
			r, err := calibrate.Run(t.Context(), options(map[string]*bytes.Buffer{}), m)
			if err != nil {
				t.Fatalf("noise %v: %v", noise, err)
			}
			if r.Took > calibrate.DefaultBudget || r.False.Resampled.Of == 0 || r.Delay.Smallest <= 0 {
				t.Errorf("noise %v: %+v", noise, r)
			}
			t.Logf("noise %v: took %v, %d rounds, smallest %v, measured %v in %d rounds, confirmed %v", noise, r.Took, r.False.Pool,
				r.Delay.Smallest, r.Delay.Measured, r.Delay.Found.Pool, r.Delay.Confirmed)
		})
	}
}

// Where a real delay would take too long there is an estimate.
func TestNoTimeForDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(0.03)
		quick := m.takes
		m.alter = func(a arm.Arm, _ *harness.Sample) {
			if m.takes = quick; m.arms["ddsa"] > 20 {
				m.takes = 20 * quick
			}
		}
		o := options(map[string]*bytes.Buffer{})
		o.Budget = 150 * time.Second
		r, err := calibrate.Run(t.Context(), o, m)
		if err != nil || r.Took > o.Budget || r.Delay.Smallest <= 0 || r.Delay.Confirmed || r.Delay.Measured != 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// A budget that is too small is refused after the first round.
func TestBudgetIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, m := options(map[string]*bytes.Buffer{}), newMachine(0.03)
		o.Budget = 80 * time.Second
		start := time.Now()
		_, err := calibrate.Run(t.Context(), o, m)
		var short *calibrate.BudgetError
		if !errors.As(err, &short) || time.Since(start) != 2*m.takes {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
		o, m = options(map[string]*bytes.Buffer{}), newMachine(0.03)
		o.Budget = short.Least
		if _, err := calibrate.Run(t.Context(), o, m); err != nil {
			t.Errorf("with the least budget of %v: %v", short.Least, err)
		}
	})
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*calibrate.Options, *machine)
		is     error
		text   string
	}{
		"findings": {
			func(_ *calibrate.Options, m *machine) {
				m.alter = func(a arm.Arm, s *harness.Sample) {
					if a.Again {
						s.Figures.Findings = "g"
					}
				}
			}, compare.ErrFindingsDiffer, "",
		},
		"void": {
			func(_ *calibrate.Options, m *machine) {
				m.alter = func(_ arm.Arm, s *harness.Sample) { s.Figures, s.Void = nil, &harness.Void{Cause: harness.Hang} }
			}, compare.ErrIncomplete, "in a row gave no figures",
		},
		"nothing to do": {
			func(_ *calibrate.Options, m *machine) {
				m.alter = func(_ arm.Arm, s *harness.Sample) { s.Figures.Executions, s.Figures.InExecutions = 0, 0 }
			}, compare.ErrIncomplete, "no rule was executed",
		},
		"budget":    {func(o *calibrate.Options, _ *machine) { o.Budget = 30 * time.Second }, nil, "a budget of 30s is too small for two comparisons of 10 rounds; here it takes 1m24s at least; give"},
		"negative":  {func(o *calibrate.Options, _ *machine) { o.Budget = -1 }, nil, "is negative"},
		"rounds":    {func(o *calibrate.Options, _ *machine) { o.Header.Rounds = 5 }, nil, "fewer than 6 find nothing"},
		"modifiers": {func(o *calibrate.Options, _ *machine) { o.Arm.Again = true }, nil, "arm ddsa+again has modifiers"},
		"process":   {func(o *calibrate.Options, _ *machine) { o.Arm.Process = true }, nil, "leave +process out"},
		"workers":   {func(o *calibrate.Options, _ *machine) { o.Header.Workers = 0 }, nil, "0 workers"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, m := options(map[string]*bytes.Buffer{}), newMachine(0.03)
				c.change(&o, m)
				r, err := calibrate.Run(t.Context(), o, m)
				if r != nil || err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("%+v, %v", r, err)
				}
			})
		})
	}
}

func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if r, err := calibrate.Run(ctx, options(map[string]*bytes.Buffer{}), newMachine(0.03)); r != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
