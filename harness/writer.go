package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A line is one line of a record: its kind and exactly that kind's field.
type line struct {
	Header     *Header     `json:"header,omitempty"`
	Sample     *Sample     `json:"sample,omitempty"`
	Difference *Difference `json:"difference,omitempty"`
	Closing    *Closing    `json:"closing,omitempty"`
}

// A Writer writes a record, each line with one write of its own, so that a
// crash loses at most the line that was being written. It is used from one
// goroutine at a time.
type Writer struct {
	w   io.Writer
	err error
}

// NewWriter returns a Writer on w, which must not buffer.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Create makes the file at path, and its folder, for a record. A file that is
// there already is an error: a record is evidence and is not overwritten. The
// caller closes the file.
func Create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("run record: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		return nil, fmt.Errorf("run record %s is there already; move it away or choose another name: %w", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("run record: %w", err)
	}
	return f, nil
}

// Header writes the first line.
func (w *Writer) Header(h Header) error { return w.write(line{Header: &h}) }

// Sample writes a sample.
func (w *Writer) Sample(s Sample) error { return w.write(line{Sample: &s}) }

// Difference writes a pair on which samples differ.
func (w *Writer) Difference(d Difference) error { return w.write(line{Difference: &d}) }

// Closing writes the last line.
func (w *Writer) Closing(c Closing) error { return w.write(line{Closing: &c}) }

// WriteRecord writes a record that is complete.
func WriteRecord(to io.Writer, r *Record) error {
	w := NewWriter(to)
	_ = w.Header(r.Header) // w keeps the first error
	for _, s := range r.Samples {
		_ = w.Sample(s)
	}
	for _, d := range r.Differences {
		_ = w.Difference(d)
	}
	if r.Closing != nil {
		_ = w.Closing(*r.Closing)
	}
	return w.err
}

// write keeps the first error: after half a line nothing may follow it.
func (w *Writer) write(l line) error {
	if w.err != nil {
		return w.err
	}
	text, err := json.Marshal(l)
	if err == nil {
		_, err = w.w.Write(append(text, '\n'))
	}
	if err != nil {
		w.err = fmt.Errorf("run record: %w", err)
	}
	return w.err
}
