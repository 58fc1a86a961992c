package syntax

// The C code of tree-sitter and of the two grammars is linked from these
// packages; their Go API, which allocates for every match, is not used.
import (
	_ "github.com/smacker/go-tree-sitter"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
)

/*
#cgo CFLAGS: -Wall
#cgo LDFLAGS: -Wl,--wrap=ts_node_start_byte -Wl,--wrap=ts_node_end_byte
#include "document.h"
const char *syn_unbound(void);
*/
import "C"

import (
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

func init() {
	if name := C.syn_unbound(); name != nil {
		panic("syntax: the linker did not bind " + C.GoString(name) +
			"; is the version of go-tree-sitter the one in go.mod?")
	}
}

// Both sides must agree on a record's length.
var _ [executor.NodeWords]struct{} = [C.NODE_WORDS]struct{}{}

// grammar returns the grammar that parses l, or nil. TypeScript in all its
// forms is parsed as TSX.
func grammar(l executor.Language) *C.TSLanguage {
	switch l {
	case executor.JavaScript:
		return C.tree_sitter_javascript()
	case executor.TypeScript:
		return C.tree_sitter_tsx()
	}
	return nil
}

// text returns s for C. It is valid as long as s and holds no terminating zero.
func text(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }

// matchLimit is how many matches one query may have in progress.
const matchLimit = C.MATCH_LIMIT
