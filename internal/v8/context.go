//go:build linux

package v8

/*
#include <stdlib.h>
#include "bridge.h"
*/
import "C"

import "unsafe"

// A Context is a global object with its own intrinsics. Code from strings
// (eval, new Function) is off.
type Context struct {
	isolate *Isolate
	ptr     *C.bridge_context
}

// NewContext makes a context, runs the isolate's setup in it and hands config to
// its runner.
func (i *Isolate) NewContext(config string) (*Context, error) {
	if err := i.enter(); err != nil {
		return nil, err
	}
	defer i.leave()
	var status C.int
	ptr := C.bridge_context_new(i.ptr, chars(config), C.size_t(len(config)), &status)
	if ptr == nil {
		return nil, check(status, i.text())
	}
	return &Context{i, ptr}, nil
}

// Dispose lets go of the context. Its functions must be disposed before.
func (c *Context) Dispose() error {
	if err := c.isolate.enter(); err != nil {
		return err
	}
	defer c.isolate.leave()
	C.bridge_context_dispose(c.ptr)
	return nil
}

// A Function is a compiled function, kept.
type Function struct {
	isolate *Isolate
	ptr     *C.bridge_function
}

// Source is a function to compile.
type Source struct {
	// Name is the script's name in stack lines, without zero bytes.
	Name string
	// Body is the text between the function's braces.
	Body string
	// LineOffset is added to the line numbers that V8 reports.
	LineOffset int
	// Async says that the function may leave microtasks: after each call they
	// are run, and then the runner is called without a function.
	Async bool
}

// Compile compiles a function without parameters.
func (c *Context) Compile(s Source) (*Function, error) {
	if err := c.isolate.enter(); err != nil {
		return nil, err
	}
	defer c.isolate.leave()
	name := C.CString(s.Name)
	defer C.free(unsafe.Pointer(name))
	async := C.int(0)
	if s.Async {
		async = 1
	}
	var status C.int
	ptr := C.bridge_compile(c.ptr, name, chars(s.Body), C.size_t(len(s.Body)), C.int(s.LineOffset), async, &status)
	if ptr == nil {
		return nil, check(status, c.isolate.text())
	}
	return &Function{c.isolate, ptr}, nil
}

// Dispose lets go of the function.
func (f *Function) Dispose() error {
	if err := f.isolate.enter(); err != nil {
		return err
	}
	defer f.isolate.leave()
	C.bridge_function_dispose(f.ptr)
	return nil
}

// A File is what a call lets the script see of a file.
type File struct {
	// ID tells files apart: the text is copied into V8 once per ID.
	ID uint64
	// Text is valid UTF-8; ASCII says that it has no other bytes.
	Text  string
	ASCII bool
	// Navigate is a C function of the form in bridge.h, or nil, and Data its
	// first argument.
	Navigate, Data unsafe.Pointer
}

// Call calls the function through its context's runner. It returns the string
// that the runner returned, "" for anything else. What the script wrote stands in
// the isolate's Memory.
func (f *Function) Call(file *File) (string, error) {
	i := f.isolate
	if err := i.enter(); err != nil {
		return "", err
	}
	ascii := C.int(0)
	if file.ASCII {
		ascii = 1
	}
	status := C.bridge_call(f.ptr, chars(file.Text), C.size_t(len(file.Text)), ascii, C.uint64_t(file.ID),
		C.bridge_navigate(file.Navigate), file.Data)
	text := i.text()
	i.leave()
	if status == C.BRIDGE_OK {
		return text, nil
	}
	return "", check(status, text)
}

func chars(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }
