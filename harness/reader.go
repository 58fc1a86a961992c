package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxLine bounds one line, in bytes. A sample with a full series has 100 kB.
const maxLine = 16 << 20

// Read reads a record. It returns a record or an error, never both: a
// *CutOffError (which holds the readable part), *SchemaError, *FormatError, or
// the reader's own error.
func Read(r io.Reader) (*Record, error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 64<<10), maxLine)
	scan.Split(splitLines)
	rec := &Record{}
	for n := 1; scan.Scan(); n++ {
		text := scan.Bytes()
		if n > 1 && !bytes.HasSuffix(text, []byte("\n")) {
			break // the line that was being written when the run ended
		}
		if rec.Closing != nil {
			return nil, &FormatError{Line: n, Problem: "a line after the closing line"}
		}
		if err := rec.add(text, n); err != nil {
			return nil, err
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("run record: %w", err)
	}
	if rec.Header.Schema == 0 {
		return nil, &FormatError{Line: 1, Problem: "the file is empty"}
	}
	if rec.Closing == nil {
		return nil, &CutOffError{Record: rec}
	}
	return rec, nil
}

// splitLines is bufio.ScanLines that leaves the line's end on, so that a last
// line without one can be told from a whole line.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// add adds line n.
func (rec *Record) add(text []byte, n int) error {
	if n == 1 {
		// The version comes first: all else may have changed with it.
		var v struct {
			Header struct {
				Schema int `json:"schema"`
			} `json:"header"`
		}
		if err := json.Unmarshal(text, &v); err != nil || v.Header.Schema == 0 {
			return &FormatError{Line: n, Field: "header.schema", Problem: "this is not a run record", Err: err}
		}
		if v.Header.Schema != Schema {
			return &SchemaError{Got: v.Header.Schema, Want: Schema}
		}
	}
	var l line
	if err := decode(text, &l); err != nil {
		return at(n, err)
	}
	if (n == 1) != (l.Header != nil) {
		return &FormatError{Line: n, Field: "header", Problem: "belongs in the first line and only there"}
	}
	switch {
	case l.Header != nil:
		rec.Header = *l.Header
		return at(n, rec.Header.check())
	case l.Sample != nil:
		if err := rec.checkSample(l.Sample); err != nil {
			return at(n, err)
		}
		rec.Samples = append(rec.Samples, *l.Sample)
	case l.Difference != nil:
		rec.Differences = append(rec.Differences, *l.Difference)
	case l.Closing != nil:
		rec.Closing = l.Closing
	default:
		return &FormatError{Line: n, Problem: "neither a sample, a difference nor the closing line"}
	}
	return nil
}

// at gives a FormatError its line.
func at(n int, err error) error {
	if bad := (*FormatError)(nil); errors.As(err, &bad) {
		bad.Line = n
	}
	return err
}

// check finds a header that no comparison can have written.
func (h *Header) check() error {
	sorted := slices.Sorted(slices.Values(h.Arms))
	switch {
	case len(sorted) == 0:
		return &FormatError{Field: "header.arms", Problem: "has no arm"}
	case len(slices.Compact(sorted)) < len(h.Arms):
		return &FormatError{Field: "header.arms", Problem: "names an arm twice"}
	case h.Rounds < 1 || h.Rounds > MaxRounds || h.Warmup < 0 || h.Warmup > MaxRounds:
		return &FormatError{Field: "header.rounds", Problem: "is out of range"}
	case h.MinEffect < 0 || h.MinEffect >= 1:
		return &FormatError{Field: "header.min_effect", Problem: "is out of range"}
	}
	return nil
}

// checkSample finds a sample that does not belong to the header's comparison,
// or that is there already.
func (rec *Record) checkSample(s *Sample) error {
	h := &rec.Header
	same := func(other Sample) bool { return other.Round == s.Round && other.Arm == s.Arm }
	switch {
	case !slices.Contains(h.Arms, s.Arm):
		return &FormatError{Field: "sample.arm", Problem: fmt.Sprintf("%q is not an arm of this record", s.Arm)}
	case s.Round < 0 || s.Round > h.Warmup+h.Rounds || s.Warmup != (s.Round < h.Warmup) ||
		s.Traced != (s.Round == h.Warmup+h.Rounds):
		return &FormatError{Field: "sample.round", Problem: fmt.Sprintf("%d is out of range", s.Round)}
	case (s.Figures == nil) == (s.Void == nil):
		return &FormatError{Field: "sample.figures", Problem: "a sample has either figures or a cause why it is void"}
	case (s.Counted != nil) != (s.Traced && s.Figures != nil) || s.Empty != nil && s.Counted == nil:
		return &FormatError{Field: "sample.counted", Problem: "traced samples that are not void have it, and no others"}
	case len(s.Series.At) != len(s.Series.RSS) || len(s.Series.At) != len(s.Series.Threads):
		return &FormatError{Field: "sample.series", Problem: "has lists of different lengths"}
	case slices.ContainsFunc([]*Counted{s.Counted, s.Empty}, func(c *Counted) bool { return c != nil && c.Counts == nil }):
		return &FormatError{Field: "sample.counted.counts", Problem: "is null"}
	case slices.ContainsFunc(rec.Samples, same):
		return &FormatError{Field: "sample", Problem: fmt.Sprintf("arm %s has two samples in round %d", s.Arm, s.Round)}
	}
	if s.Figures == nil {
		return nil
	}
	return s.Figures.check()
}

// check finds figures that no child can have sent.
func (f *Figures) check() error {
	switch l := f.Latency; {
	case f.Languages == nil:
		return &FormatError{Field: "sample.figures.languages", Problem: "is null"}
	case f.Outcomes == nil:
		return &FormatError{Field: "sample.figures.outcomes", Problem: "is null"}
	case l != nil && len(l.Upto) != len(l.Count):
		return &FormatError{Field: "sample.figures.latency", Problem: "has lists of different lengths"}
	}
	return nil
}
