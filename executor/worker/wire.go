//go:build linux

package worker

import (
	"encoding/binary"
	"math"
	"time"
)

// A frame is its length in 4 bytes, little-endian, a kind and a payload. The
// length counts kind and payload.
const (
	headLength = 4
	// maxFrame bounds what a parent reads. One execution's findings are smaller
	// unless somebody set enormous limits.
	maxFrame = 256 << 20
)

// The kinds of frames: what the parent sends, then what the worker sends.
const (
	kindSetup   = 'S' // gob of a setup
	kindRules   = 'A' // gob of rules to add
	kindFile    = 'F'
	kindReady   = 'O'
	kindRefused = 'N' // why there is no executor
	kindResults = 'R'
)

// startFrame begins a frame at the end of b.
func startFrame(b []byte, kind byte) []byte {
	return append(b, 0, 0, 0, 0, kind)
}

// endFrame fills in the length of the frame that starts at start and ends with b.
func endFrame(b []byte, start int) []byte {
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-headLength))
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendDuration(b []byte, d time.Duration) []byte {
	return binary.AppendUvarint(b, uint64(max(0, d)))
}

// A decoder reads a payload. After the first fault, bad is set and everything
// read is zero.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) fail() { d.rest, d.bad = nil, true }

// uint reads a number that is at most limit.
func (d *decoder) uint(limit uint64) uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || v > limit {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count reads the length of a list whose elements take at least a byte each.
func (d *decoder) count(limit int) int {
	n := d.uint(uint64(limit))
	if n > uint64(len(d.rest)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.fail()
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// string copies what it returns.
func (d *decoder) string(limit int) string {
	n := d.count(limit)
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) duration() time.Duration { return time.Duration(d.uint(math.MaxInt64)) }
