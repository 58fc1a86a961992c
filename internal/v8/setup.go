//go:build linux

package v8

/*
#include "bridge.h"
*/
import "C"

// A Setup is what each context of an isolate starts with. It is compiled once
// and may be shared by isolates on any goroutines.
type Setup struct{ ptr *C.bridge_setup }

// NewSetup keeps source, the body of a function
//
//	(text, navigate, grow, memory) => runner
//
// text() gives the text of the file at hand, navigate(op, subject, from, at)
// calls the file's Navigate with the memory from word at on, grow(words) gives
// the flat memory grown to that length, or undefined. The result is the
// function through which all calls go:
//
//	runner(undefined, undefined, config)  once, with NewContext's config
//	runner(f, memory)                     calls f; with the memory only if it has moved
//	runner()                              after a script that threw, see also Source.Async
func NewSetup(source string) *Setup {
	return &Setup{C.bridge_setup_new(chars(source), C.size_t(len(source)))}
}

// Dispose frees the setup. No isolate may use it any more.
func (s *Setup) Dispose() { C.bridge_setup_dispose(s.ptr) }
