//go:build linux

// Package v8 binds the part of V8's C++ API that a watched execution needs:
// isolates with a heap limit that recovers and a cap on buffers, contexts,
// functions compiled once and kept, calls with flat memory in and out,
// termination and its cancelling. Names are those of rogchap/v8go where the
// concept is the same.
//
// The package knows no policy, no timers and no rules. An isolate may be used
// from any goroutine, by one at a time: a second one gets ErrBusy. Only
// Terminate may be called at any time.
package v8

/*
#cgo CXXFLAGS: -std=c++17 -O2 -fno-rtti -Wall -Wextra -Wno-unused-parameter -isystem ${SRCDIR}/../../.v8/usr/include/node
#cgo linux,amd64 LDFLAGS: -L${SRCDIR}/../../.v8/usr/lib/x86_64-linux-gnu -Wl,-rpath,${SRCDIR}/../../.v8/usr/lib/x86_64-linux-gnu -Wl,-rpath,${SRCDIR}/../../.v8/lib/x86_64-linux-gnu
#cgo linux,arm64 LDFLAGS: -L${SRCDIR}/../../.v8/usr/lib/aarch64-linux-gnu -Wl,-rpath,${SRCDIR}/../../.v8/usr/lib/aarch64-linux-gnu -Wl,-rpath,${SRCDIR}/../../.v8/lib/aarch64-linux-gnu
#cgo LDFLAGS: -lnode -Wl,--disable-new-dtags
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"
)

// The ways a call into V8 can fail.
var (
	// ErrBusy means that another goroutine is using the isolate.
	ErrBusy = errors.New("v8: isolate is in use by another goroutine")
	// ErrDisposed means that the isolate is disposed.
	ErrDisposed = errors.New("v8: isolate is disposed")
	// ErrTerminated means that the execution was terminated.
	ErrTerminated = errors.New("v8: execution terminated")
	// ErrMemorySize means that the flat memory cannot grow that far, or that
	// there is no memory for a call's text.
	ErrMemorySize = errors.New("v8: no room in the memory shared with scripts")
)

// A ScriptError is an exception that a script did not catch, or a source that
// does not compile.
type ScriptError struct {
	// Syntax says that the source did not compile.
	Syntax bool
	// Text is V8's message with its stack lines.
	Text string
}

func (e *ScriptError) Error() string { return e.Text }

// flags of V8, set before its start:
// WebAssembly and SharedArrayBuffer are out of a script's reach. The young
// generation stays small: it would grow to 48 MB an isolate, and what one file
// leaves in it the next does not need.
const flags = "--no-expose-wasm --no-harmony-sharedarraybuffer --max-semi-space-size=1"

var start = sync.OnceFunc(func() {
	f := C.CString(flags)
	defer C.free(unsafe.Pointer(f))
	if C.bridge_init(f) != 0 {
		panic("v8: V8 does not start")
	}
})

// Version is V8's version, such as "10.2.154.26-node.26".
func Version() string { return C.GoString(C.bridge_version()) }

// check makes an error of a status and, for a script's error, of text.
func check(status C.int, text string) error {
	switch status {
	case C.BRIDGE_OK:
		return nil
	case C.BRIDGE_TERMINATED:
		return ErrTerminated
	case C.BRIDGE_NO_MEMORY:
		return ErrMemorySize
	default:
		return &ScriptError{Syntax: status == C.BRIDGE_SYNTAX, Text: text}
	}
}
