//go:build linux

package worker

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A batch is what a frame of results says: the head, then results until the
// frame's end.
type batch struct {
	// seq is the request that this answers, from the position of the first
	// result in its list of rules.
	seq  uint64
	from int
	// last says that the request is done.
	last   bool
	parsed executor.Parsed
	// failed says why the file was not parsed. known is 1 + the error's index
	// in Program.FileErrors, or 0.
	failed string
	known  int
}

const (
	batchLast = 1 << iota
	batchFailed
)

// append begins a frame; results follow.
func (h *batch) append(b []byte) []byte {
	b = startFrame(b, kindResults)
	b = binary.AppendUvarint(b, h.seq)
	b = binary.AppendUvarint(b, uint64(h.from))
	b = append(b, flag(h.last, batchLast)|flag(h.failed != "", batchFailed))
	b = appendDuration(b, h.parsed.Parse)
	b = appendDuration(b, h.parsed.Match)
	if h.failed != "" {
		b = binary.AppendUvarint(b, uint64(h.known))
		b = appendString(b, h.failed)
	}
	return b
}

func (d *decoder) batch() batch {
	h := batch{seq: d.uint(math.MaxUint64), from: int(d.uint(maxPosition))}
	flags := d.byte()
	h.last = flags&batchLast != 0
	h.parsed = executor.Parsed{Parse: d.duration(), Match: d.duration()}
	if flags&batchFailed != 0 {
		h.known = int(d.uint(math.MaxUint8))
		h.failed = d.string(maxText)
	}
	return h
}

// maxText bounds the texts of errors.
const maxText = 1 << 20

// What a result has besides nothing: a pair without a match is the byte 0.
const (
	resultEntered = 1 << iota
	resultTampered
	resultQuery
	resultViolations
	resultOutput
	resultError
)

// appendResult writes a result. err is nil or an *executor.Error.
func appendResult(b []byte, r *executor.Result, err error) []byte {
	b = append(b, flag(r.Entered, resultEntered)|flag(r.Tampered, resultTampered)|flag(r.Query != 0, resultQuery)|
		flag(len(r.Violations) > 0, resultViolations)|flag(r.Output != "", resultOutput)|flag(err != nil, resultError))
	if r.Entered {
		b = binary.AppendUvarint(b, uint64(r.Visits))
		b = appendDuration(b, r.Elapsed)
		b = appendDuration(b, r.InV8)
	}
	if r.Query != 0 {
		b = appendDuration(b, r.Query)
	}
	if len(r.Violations) > 0 {
		b = appendViolations(b, r.Violations)
	}
	if r.Output != "" {
		b = appendString(b, r.Output)
	}
	if err != nil {
		b = appendError(b, err)
	}
	return b
}

func (d *decoder) result(l *executor.Limits) (r executor.Result, err *executor.Error) {
	flags := d.byte()
	r.Entered = flags&resultEntered != 0
	r.Tampered = flags&resultTampered != 0
	if r.Entered {
		r.Visits = int(d.uint(math.MaxUint32))
		r.Elapsed = d.duration()
		r.InV8 = d.duration()
	}
	if flags&resultQuery != 0 {
		r.Query = d.duration()
	}
	if flags&resultViolations != 0 {
		r.Violations = d.violations(l)
	}
	if flags&resultOutput != 0 {
		r.Output = d.string(maxFrame)
	}
	if flags&resultError != 0 {
		err = d.error()
	}
	return r, err
}

func appendError(b []byte, err error) []byte {
	e := &executor.Error{Outcome: executor.Internal, Err: err}
	errors.As(err, &e)
	b = append(b, byte(e.Outcome))
	b = appendDuration(b, e.Elapsed)
	b = appendString(b, cut(e.Detail, maxText))
	cause := ""
	if e.Err != nil {
		cause = cut(e.Err.Error(), maxText)
	}
	return appendString(b, cause)
}

// error reads an error without what the parent knows itself.
func (d *decoder) error() *executor.Error {
	e := &executor.Error{Outcome: executor.Outcome(d.byte()), Elapsed: time.Duration(d.duration()), Detail: d.string(maxText)}
	if cause := d.string(maxText); cause != "" {
		e.Err = errors.New(cause)
	}
	if e.Outcome == executor.OK || e.Outcome >= executor.OutcomeCount {
		d.fail()
	}
	return e
}

func cut(s string, limit int) string { return s[:min(len(s), limit)] }
