package syntax

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Decode returns b as text. Each maximal invalid part, which is an ill-formed
// sequence as far as it could have become well-formed, becomes one U+FFFD, as
// browsers and Rust's from_utf8_lossy do it. Valid text is not copied: the
// caller must not change b afterwards.
func Decode(b []byte) string {
	s := unsafe.String(unsafe.SliceData(b), len(b))
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + 16)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			size = invalidPart(s)
		}
		out.WriteRune(r)
		s = s[size:]
	}
	return out.String()
}

// invalidPart returns the length of the maximal invalid part at the start of s,
// which does not start with a valid sequence.
func invalidPart(s string) int {
	// want is the sequence's length, low and high bound its second byte: see
	// table 3-7 of the Unicode standard.
	want, low, high := 1, byte(0x80), byte(0xBF)
	switch c := s[0]; {
	case 0xC2 <= c && c <= 0xDF:
		want = 2
	case 0xE0 <= c && c <= 0xEF:
		want = 3
		switch c {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
	case 0xF0 <= c && c <= 0xF4:
		want = 4
		switch c {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	}
	n := 1
	for n < want && n < len(s) && low <= s[n] && s[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
