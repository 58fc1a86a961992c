package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// A RecordForm prints a record in one form, with one write.
type RecordForm func(io.Writer, *harness.Record) error

// RecordNames are the forms that RecordByName knows: those of a summary, and
// those that need the samples themselves.
var RecordNames = append(slices.Clone(Names), "csv", "benchstat", "html", "record")

// RecordByName returns the form with that name. An unknown name is an error
// that gives the known ones.
func RecordByName(name string) (RecordForm, error) {
	switch name {
	case "csv":
		return CSV, nil
	case "benchstat":
		return Benchstat, nil
	case "html":
		return HTML, nil
	case "record":
		return Thinned, nil
	}
	form, err := ByName(name)
	if err != nil {
		return nil, fmt.Errorf("unknown format %q; known are %s", name, strings.Join(RecordNames, ", "))
	}
	return func(w io.Writer, r *harness.Record) error { return form(w, compare.Summarize(r)) }, nil
}

// keptPoints is how many points of a series are kept.
const keptPoints = 200

// Thinned prints the record itself, with series of at most 200 points: what is
// kept of a long comparison. It can be printed in all forms again.
func Thinned(w io.Writer, r *harness.Record) error {
	var b bytes.Buffer
	if err := harness.WriteRecord(&b, harness.Thin(r, keptPoints)); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// timed says whether a sample's times are the comparison's.
func timed(s *harness.Sample) bool {
	return !s.Warmup && !s.Traced && s.Figures != nil
}
