package syntax

// #include "document.h"
import "C"

import (
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

// navigate calls a navigator as a runtime does, from Go. Tests cannot use cgo.
func navigate(n executor.Navigator, op, subject, from uint32, out []uint32) int {
	return int(C.syn_navigate(n.Data, C.uint32_t(op), C.uint32_t(subject), C.uint32_t(from),
		(*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(out))), C.uint32_t(len(out))))
}
