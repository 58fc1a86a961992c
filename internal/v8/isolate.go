//go:build linux

package v8

/*
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Options are an isolate's limits.
type Options struct {
	// Heap bounds the JavaScript heap, Buffers the array buffers beside it,
	// both in bytes.
	Heap, Buffers uint64
	// Memory bounds the flat memory, in words of 4 bytes.
	Memory int
	// Setup is what contexts start with. It outlives the isolate.
	Setup *Setup
	// NearHeapLimit is called on the executing thread, inside a call into V8,
	// when the heap is nearly full. It should have the execution terminated;
	// the limit is raised meanwhile, until RecoverHeap.
	NearHeapLimit func()
}

// An Isolate is one JavaScript engine with a heap of its own.
type Isolate struct {
	ptr    *C.bridge_isolate
	view   *C.bridge_view
	ticket cgo.Handle
	busy   atomic.Int32 // free, inUse or disposed
	stays  bool         // Stay's goroutine is the one that calls
}

const (
	free int32 = iota
	inUse
	disposed
)

// NewIsolate makes an isolate.
func NewIsolate(o Options) (*Isolate, error) {
	if o.Memory < 1 || o.Setup == nil {
		return nil, fmt.Errorf("v8: an isolate needs a setup and a flat memory of at least a word")
	}
	if o.NearHeapLimit == nil {
		o.NearHeapLimit = func() {}
	}
	start()
	i := &Isolate{ticket: cgo.NewHandle(o.NearHeapLimit)}
	i.ptr = C.bridge_isolate_new(o.Setup.ptr, C.size_t(o.Heap), C.size_t(o.Buffers), C.size_t(o.Memory), C.uintptr_t(i.ticket))
	i.view = C.bridge_isolate_view(i.ptr)
	if err := check(C.bridge_grow(i.ptr, C.size_t(min(o.Memory, 1<<12))), ""); err != nil {
		return nil, errors.Join(err, i.Dispose())
	}
	return i, nil
}

//export bridgeNearHeapLimit
func bridgeNearHeapLimit(ticket C.uintptr_t) { cgo.Handle(ticket).Value().(func())() }

// enter claims the isolate for the calling goroutine until leave.
func (i *Isolate) enter() error {
	if i.stays { // inUse all the time
		return nil
	}
	if i.busy.CompareAndSwap(free, inUse) {
		return nil
	}
	if i.busy.Load() == disposed {
		return ErrDisposed
	}
	return ErrBusy
}

func (i *Isolate) leave() {
	if !i.stays {
		i.busy.Store(free)
	}
}

// Stay keeps the isolate entered on the calling goroutine's thread until that
// goroutine, which must be locked to its thread, calls leave. Calls from it are
// quicker meanwhile; there must be none from others, but Terminate and Cancel.
func (i *Isolate) Stay() (leave func(), err error) {
	if err := i.enter(); err != nil {
		return nil, err
	}
	i.stays = true
	C.bridge_stay(i.ptr)
	return func() {
		C.bridge_leave(i.ptr)
		i.stays = false
		i.leave()
	}, nil
}

// Dispose frees the isolate; its contexts and functions must be disposed
// before. A running call makes it fail with ErrBusy. Twice is fine. Terminate
// must not be called any more: whoever may call it has to be stopped first.
func (i *Isolate) Dispose() error {
	if !i.busy.CompareAndSwap(free, disposed) {
		if i.busy.Load() == disposed {
			return nil
		}
		return ErrBusy
	}
	C.bridge_isolate_dispose(i.ptr)
	i.ticket.Delete()
	return nil
}

// Terminate has the running script end with ErrTerminated as soon as V8 looks.
// It may be called from any goroutine. If no script runs, the next one ends.
func (i *Isolate) Terminate() { C.bridge_terminate(i.ptr) }

// Cancel takes back a termination that has not been or need not be carried out.
func (i *Isolate) Cancel() { C.bridge_cancel(i.ptr) }

// Memory is the flat memory that scripts see as a Uint32Array. The slice is
// valid until the next call, Grow or Dispose, during which it may move or go. A
// disposed isolate has none.
func (i *Isolate) Memory() []uint32 {
	if i.busy.Load() == disposed {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(i.view.memory)), int(i.view.memory_words))
}

// Grow makes the flat memory at least words long, keeping what is in it.
func (i *Isolate) Grow(words int) error {
	if words <= int(i.view.memory_words) {
		return nil
	}
	if err := i.enter(); err != nil {
		return err
	}
	defer i.leave()
	return check(C.bridge_grow(i.ptr, C.size_t(words)), "")
}

// RecoverHeap collects garbage and restores the heap limit after
// Options.NearHeapLimit was called. Dispose of what filled the heap first.
func (i *Isolate) RecoverHeap() error {
	if err := i.enter(); err != nil {
		return err
	}
	defer i.leave()
	C.bridge_recover_heap(i.ptr)
	return nil
}

// HeapStatistics are an isolate's sizes in bytes.
type HeapStatistics struct {
	// Used is what the heap holds, Limit how far it may grow.
	Used, Limit uint64
	// Buffers is what array buffers take up beside the heap.
	Buffers uint64
}

// HeapStatistics returns the sizes as of now; zero if the isolate is in use by
// another goroutine, or disposed.
func (i *Isolate) HeapStatistics() HeapStatistics {
	if i.enter() != nil {
		return HeapStatistics{}
	}
	defer i.leave()
	h := C.bridge_heap_statistics(i.ptr)
	return HeapStatistics{Used: uint64(h.used), Limit: uint64(h.limit), Buffers: uint64(h.external)}
}

// TextsMade is how often a file's text was copied into V8; 0 if the isolate is
// in use by another goroutine, or disposed.
func (i *Isolate) TextsMade() uint64 {
	if i.enter() != nil {
		return 0
	}
	defer i.leave()
	return uint64(i.view.texts_made)
}

// text is the view's text, copied.
func (i *Isolate) text() string {
	n := int(i.view.text_length)
	if n == 0 {
		return ""
	}
	return strings.Clone(unsafe.String((*byte)(unsafe.Pointer(i.view.text)), n))
}
