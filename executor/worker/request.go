//go:build linux

package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"math"

	"github.com/ddsabench/ddsabench/executor"
)

// A setup is the first thing that a worker is told.
type setup struct {
	Executor string
	Limits   executor.Limits
	Rules    []*executor.Rule
	Parsing  []byte
}

// appendGob appends a frame of what gob writes.
func appendGob(b []byte, kind byte, value any) ([]byte, error) {
	start := len(b)
	out := bytes.NewBuffer(startFrame(b, kind))
	if err := gob.NewEncoder(out).Encode(value); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return endFrame(out.Bytes(), start), nil
}

func readGob(payload []byte, value any) error {
	return gob.NewDecoder(bytes.NewReader(payload)).Decode(value)
}

// newRules are a set of rules, in the place of one that had the number before.
type newRules struct {
	Set   uint32
	Rules []*executor.Rule
}

// A request is a file and the rules to run over it, by their index in a set.
type request struct {
	seq uint64
	set uint32
	// same says that the text is that of the request before.
	same     bool
	path     string
	language executor.Language
	rules    []uint32
	text     string
}

func (r *request) append(b []byte) []byte {
	start := len(b)
	b = startFrame(b, kindFile)
	b = binary.AppendUvarint(b, r.seq)
	b = binary.AppendUvarint(b, uint64(r.set))
	b = append(b, flag(r.same, 1))
	b = appendString(b, r.path)
	b = appendString(b, string(r.language))
	b = binary.AppendUvarint(b, uint64(len(r.rules)))
	for _, n := range r.rules {
		b = binary.AppendUvarint(b, uint64(n))
	}
	if !r.same {
		b = append(b, r.text...)
	}
	return endFrame(b, start)
}

// decode reads a payload. It is the worker that reads, so the parent is
// trusted; a fault is one of ours.
func (r *request) decode(payload []byte) bool {
	d := decoder{rest: payload}
	r.seq = d.uint(math.MaxUint64)
	r.set = uint32(d.uint(math.MaxUint32))
	r.same = d.byte() == 1
	r.path = d.string(maxFrame)
	r.language = executor.Language(d.string(maxFrame))
	r.rules = r.rules[:0]
	for range d.count(maxPosition) {
		r.rules = append(r.rules, uint32(d.uint(math.MaxUint32)))
	}
	r.text = string(d.rest)
	return !d.bad
}

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}
