package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/ddsabench/ddsabench/harness/calibrate"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// Calibration prints the result of a calibration for a terminal of 80 columns.
func Calibration(w io.Writer, r *calibrate.Result) error {
	var b bytes.Buffer
	for _, line := range analyzing(r.Header) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b)
	list := append(inputs(r.Header), fact{"arm", plain(r.Header.Arms[0]) + " against itself"})
	list = append(list, setting(r.Header)...)
	list = append(list,
		fact{"judged", fmt.Sprintf("comparisons of %d rounds, minimum effect %s, level 5%%", r.Rounds, percentage(r.Header.MinEffect))},
		fact{"noise", fmt.Sprintf("%.1f%% of a round's ratio (standard deviation)", 100*r.Noise)},
		fact{"took", r.Took.Round(time.Second).String()},
	)
	for _, f := range list {
		fmt.Fprintf(&b, "%-9s%s\n", f.name, f.text)
	}

	fmt.Fprintln(&b, "\nFalse verdicts, that is faster or slower where nothing differs:")
	came, drawn := r.False.AsCame, r.False.Resampled
	fmt.Fprintf(&b, "  %s, at most %s (95%% bound), of comparisons as they came\n", count(came), share(came.Upper))
	fmt.Fprintf(&b, "  %s when resampled from %d rounds, for their noise only\n", count(drawn), r.False.Pool)
	if i := r.Control.Interval; i != nil {
		fmt.Fprintf(&b, "  All rounds together: %s%% [%s, %s]\n", percent(r.Control.Ratio), percent(i.Low), percent(i.High))
	}

	d := r.Delay
	fmt.Fprintf(&b, "\nSmallest delay found in %s of comparisons:\n  %v per execution, %s of the time in executions\n",
		percentage(calibrate.Power), d.Smallest, share(d.Effect))
	section(&b, Wrap(delayed(d), width))
	if few := min(r.False.Pool, d.Found.Pool); d.Measured > 0 && few < 2*r.Rounds {
		section(&b, Wrap(fmt.Sprintf("Comparisons of %d rounds that are resampled from %d tell little beyond these. A longer budget would give more rounds.",
			r.Rounds, few), width))
	}
	if r.Busy > 0 {
		section(&b, Wrap(fmt.Sprintf("The machine was busy with other work in %d of %d samples. A quieter one would do better.", r.Busy, r.Samples), width))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// delayed says how the real delay fared.
func delayed(d calibrate.Delay) string {
	if d.Measured == 0 {
		return "That is an estimate from the arm against itself, NOT CONFIRMED: there was no time to measure a real delay."
	}
	text := fmt.Sprintf("Measured with a real delay of %v", d.Measured)
	if i := d.Change.Interval; i != nil {
		text += fmt.Sprintf(" (all its rounds together: %s%% [%s, %s])", percent(d.Change.Ratio), percent(i.Low), percent(i.High))
	}
	text += fmt.Sprintf(": found in %s of comparisons as they came and in %s resampled from %d rounds.",
		count(d.Found.AsCame), count(d.Found.Resampled), d.Found.Pool)
	switch {
	case d.Confirmed:
	case d.Found.Resampled.Share() >= calibrate.Power:
		text += " These are too few rounds, so the smallest delay is an estimate, NOT CONFIRMED."
	default:
		text += fmt.Sprintf(" That is less than %s, so the smallest delay is an estimate, NOT CONFIRMED.", percentage(calibrate.Power))
	}
	return text
}

// count prints a rate: 12 of 400 (3.0%).
func count(r stats.Rate) string {
	return fmt.Sprintf("%s of %s (%s)", group(strconv.Itoa(r.Count)), group(strconv.Itoa(r.Of)), share(r.Share()))
}

// share prints a share in per cent with one decimal.
func share(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
