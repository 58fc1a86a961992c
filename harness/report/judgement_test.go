package report_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/calibrate"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// noisy is a comparison with noise in some rows, on a machine that is sometimes
// busy. In the main row the second arm takes factor times as long, and coming
// later costs something.
func noisy(rounds int, noise, factor float64, later time.Duration, arms ...string) *harness.Record {
	r := record(rounds, arms...)
	rng := rand.New(rand.NewPCG(4, 4))
	blur := func(d time.Duration, by float64) time.Duration {
		return time.Duration(float64(d) * math.Exp(by*rng.NormFloat64()))
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		f := *sample(s.Round, s.Position, "ddsa").Figures
		f.InExecutions = blur(f.InExecutions, noise) + time.Duration(s.Position)*later
		f.Wall, f.Job.User, f.InV8 = blur(f.Wall, 0.02), blur(f.Job.User, 0.2), blur(f.InV8, 0.002)
		if s.Arm == arms[1] {
			f.InExecutions = time.Duration(float64(f.InExecutions) * factor)
			f.InV8 += f.InV8 / 20
			f.Memory.PageTables += uint64(500 * (1 + s.Round))
			f.Memory.PeakVirtual += f.Memory.PeakVirtual / 50
		}
		if i%3 == 0 {
			s.End, s.LoadAfter = time.Second, harness.Load{Steal: time.Second, Busy: 1}
		}
		s.Figures = &f
	}
	return r
}

func TestJudgementGolden(t *testing.T) {
	diff, err := compare.Diff(noisy(10, 0.01, 1, 0, "ddsa", "none"), noisy(12, 0.01, 1.2, 0, "legacy", "ddsa"))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*compare.Summary{
		"slower":       compare.Summarize(noisy(12, 0.01, 1.3, 6*time.Millisecond, "ddsa", "legacy")),
		"control":      compare.Summarize(noisy(10, 0.004, 1, 0, "ddsa", "ddsa+again")),
		"inconclusive": compare.Summarize(noisy(20, 0.02, 1.01, 0, "legacy", "ddsa")),
		"noisy":        compare.Summarize(noisy(10, 0.2, 1, 0, "legacy", "ddsa")),
		"diff":         diff[0],
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := report.Table(&b, s); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".table", b.Bytes())
			narrow(t, b.String())
		})
	}
}

func TestCalibrationGolden(t *testing.T) {
	r := &calibrate.Result{
		Header: record(10, "ddsa", "ddsa+again").Header, Rounds: 10, Took: 14*time.Minute + 31*time.Second,
		Noise: 0.0417, Busy: 12, Samples: 612,
		False: calibrate.Tries{Pool: 165, AsCame: stats.RateOf(1, 16), Resampled: stats.RateOf(463, 10000)},
		Delay: calibrate.Delay{
			Smallest: 541, Effect: 0.0541, Measured: 602, Confirmed: true,
			Found:  calibrate.Tries{Pool: 90, AsCame: stats.RateOf(9, 9), Resampled: stats.RateOf(9512, 10000)},
			Change: stats.Change{Ratio: 1.061, N: 90, Interval: &stats.Interval{Low: 1.052, High: 1.07, Confidence: 0.95}},
		},
	}
	var b bytes.Buffer
	if err := report.Calibration(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "calibration.txt", b.Bytes())
	r.Delay.Confirmed, r.Delay.Change.Interval, r.Busy = false, nil, 0
	r.Delay.Found.Resampled = stats.RateOf(8512, 10000)
	b.Reset()
	if err := report.Calibration(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "unconfirmed.txt", b.Bytes())
	narrow(t, b.String())
	full := errors.New("disk is full")
	if err := report.Calibration(failing{full}, r); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}
