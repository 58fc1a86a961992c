package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/ddsabench/ddsabench/harness"
)

// csvColumns is the first line of the CSV form.
var csvColumns = []string{"round", "position", "arm", "pass", "start_s", "figure", "unit", "value", "void"}

// CSV prints raw figures, a line for each sample and figure that was measured:
//
//	round     the sample's round, from 0, warm-up rounds first
//	position  its place in the round, from 0
//	arm       its arm
//	pass      warmup, timed, counted, or empty: counted of a child without files
//	start_s   when its child started, in seconds from the record's start
//	figure    the key of a report's row or, if it was counted, of a count
//	unit      the value's unit: count, s, B or 1/s
//	value     the value with all its digits
//	void      why the sample has no figures; figure, unit and value are empty then
func CSV(w io.Writer, r *harness.Record) error {
	var b bytes.Buffer
	lines := csv.NewWriter(&b)
	_ = lines.Write(csvColumns) // a bytes.Buffer does not fail
	for i := range r.Samples {
		s := &r.Samples[i]
		add := func(pass string, columns ...string) {
			_ = lines.Write(append([]string{
				strconv.Itoa(s.Round), strconv.Itoa(s.Position), plain(s.Arm), pass, strconv.FormatFloat(s.Start.Seconds(), 'f', -1, 64),
			}, columns...))
		}
		counts := func(pass string, c *harness.Counted) {
			if c == nil {
				return
			}
			for _, t := range countsOf(c) {
				add(pass, string(t.key), string(t.unit), strconv.FormatUint(t.value, 10), "")
			}
		}
		switch {
		case s.Void != nil:
			add(pass(s), "", "", "", plain(s.Void.String()))
		case s.Traced: // its times mean nothing
			counts("counted", s.Counted)
			counts("empty", s.Empty)
		case s.Figures != nil:
			for _, row := range harness.Rows {
				if value := row.Value(s); !math.IsNaN(value) {
					add(pass(s), row.Key, string(row.Unit), strconv.FormatFloat(value, 'f', -1, 64), "")
				}
			}
		}
	}
	lines.Flush()
	_, err := w.Write(b.Bytes())
	return err
}

// pass is the pass that a sample belongs to.
func pass(s *harness.Sample) string {
	switch {
	case s.Traced:
		return "counted"
	case s.Warmup:
		return "warmup"
	}
	return "timed"
}
