package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
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
		Control: stats.Change{Ratio: 1.002, Interval: &stats.Interval{Low: 0.995, High: 1.009}},
		Noise:   0.0417, Busy: 12, Samples: 612,
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
	r.Delay.Found.Pool, r.Delay.Found.Resampled = 12, stats.RateOf(9512, 10000)
	unmeasured := *r
	unmeasured.Delay = calibrate.Delay{Smallest: 541, Effect: 0.0541}
	for name, r := range map[string]*calibrate.Result{"fewrounds.txt": r, "unmeasured.txt": &unmeasured} {
		b.Reset()
		if err := report.Calibration(&b, r); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
		narrow(t, b.String())
	}
	full := errors.New("disk is full")
	if err := report.Calibration(failing{full}, r); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}

// What nobody measured is no 0.
func TestUnsampledPeak(t *testing.T) {
	r := record(6, "ddsa", "ddsa+unsampled")
	for i := range r.Samples {
		if r.Samples[i].Arm == "ddsa+unsampled" {
			r.Samples[i].PeakThreads, r.Samples[i].Series = 0, harness.Series{}
		}
	}
	for name, form := range map[string]func(io.Writer, *harness.Record) error{
		"table":     func(w io.Writer, r *harness.Record) error { return report.Table(w, compare.Summarize(r)) },
		"csv":       report.CSV,
		"benchstat": report.Benchstat,
		"json":      func(w io.Writer, r *harness.Record) error { return json.NewEncoder(w).Encode(compare.Summarize(r)) },
	} {
		var b bytes.Buffer
		if err := form(&b, r); err != nil {
			t.Fatal(name, err)
		}
		lines := slices.DeleteFunc(strings.Split(b.String(), "\n"), func(line string) bool { return !strings.Contains(line, "peak") })
		if text := strings.Join(lines, "\n"); strings.Contains(text, "NaN") || strings.Contains(text, "peak_threads,count,0") ||
			name == "table" && !regexp.MustCompile(`peak OS threads +\d+ +±? *\S+ +-`).MatchString(text) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A mismatch within the old record is told in its names and its rounds.
func TestDiffOfOldMismatch(t *testing.T) {
	older, newer := record(6, "ddsa", "none"), record(6, "ddsa", "none")
	for i := range older.Samples {
		if older.Samples[i].Arm == "none" {
			older.Samples[i].Figures.Findings = "g"
		}
	}
	list, err := compare.Diff(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Table(&b, list[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The arms found different things.", "ddsa old, warm-up round 1:", "none old, warm-up round 1:"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// Programs that find different things cannot be compared; a round's name is that
// of its own record.
func TestDiffOfOtherFindings(t *testing.T) {
	older, newer := record(6, "ddsa", "none"), record(6, "ddsa", "none")
	older.Header.Warmup, newer.Header.Warmup = 1, 0
	for i := range newer.Samples {
		newer.Samples[i].Warmup = false
		newer.Samples[i].Figures.Findings = "g"
	}
	newer.Header.Rounds = 7
	list, err := compare.Diff(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Table(&b, list[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The old and the new program found different things.", "ddsa old, warm-up round 1:", "ddsa new, round 1:", "Records do not say where",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
