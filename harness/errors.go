package harness

import "fmt"

// A SchemaError is a record of another version of the form.
type SchemaError struct {
	Got, Want int
}

// Error says which version was met and what to do.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("run record has schema version %d, this program reads version %d; use the program that wrote it", e.Got, e.Want)
}

// A FormatError is a line that is not part of a sound record.
type FormatError struct {
	// Line counts from 1.
	Line int
	// Field is the path of a missing or wrong field, or empty.
	Field string
	// Problem says what is wrong.
	Problem string
	// Err is the cause, where there is one.
	Err error
}

// Error names the line, the field and the problem.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("run record, line %d", e.Line)
	if e.Field != "" {
		text += ", field " + e.Field
	}
	text += ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// A CutOffError is a record without its closing line: the comparison crashed,
// was killed, or is still running.
type CutOffError struct {
	// Record is what could be read, up to the last whole line.
	Record *Record
}

// Error says how much is there.
func (e *CutOffError) Error() string {
	h := &e.Record.Header
	timed := 0
	for _, s := range e.Record.Samples {
		if !s.Traced {
			timed++
		}
	}
	return fmt.Sprintf("run record is cut off after %d of %d samples: it has no closing line",
		timed, (h.Warmup+h.Rounds)*len(h.Arms))
}
