package syntax

// #include "document.h"
import "C"

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

// A rule is one rule of a Set.
type rule struct {
	*executor.Rule
	scan     scan
	language *C.TSLanguage
	// position is the rule's number in the set.
	position int
	// index is the rule's number among those of its language.
	index int
	// base is the number of the rule's first pattern among its language's.
	base int
	// ids[i] is the chunk's number of the capture scan.names[order[i]]; ids is
	// sorted.
	ids   []uint32
	order []uint32
	// warnings name what the query has and this package ignores.
	warnings []string

	own     sync.Once
	ownFor  *C.TSQuery
	ownFail *QueryError
}

// local returns the rule's own number of the capture that its chunk numbers id.
func (r *rule) local(id uint32) uint32 {
	i, _ := slices.BinarySearch(r.ids, id)
	return r.order[i]
}

// query returns the rule's query compiled alone, which is done when it is first
// wanted: it takes 3 to 7 ms, and most rules never fall back. Any goroutine may
// call it.
func (r *rule) query() (*C.TSQuery, *QueryError) {
	r.own.Do(func() {
		query, offset, fault := compileQuery(r.language, r.Query)
		if query == nil {
			r.ownFail = r.fault(offset, fault)
			return
		}
		r.ownFor = query
	})
	return r.ownFor, r.ownFail
}

// precheck refuses what must not reach tree-sitter.
func (r *rule) precheck() *QueryError {
	switch {
	case r.language == nil:
		return newQueryError(r.Rule, BadLanguage, 0, string(r.Language))
	case !utf8.ValidString(r.Query):
		return newQueryError(r.Rule, BadSyntax, 0, "not valid UTF-8")
	case strings.IndexByte(r.Query, 0) >= 0:
		return newQueryError(r.Rule, BadSyntax, strings.IndexByte(r.Query, 0), "zero byte")
	case r.scan.nesting > maxNesting:
		return newQueryError(r.Rule, TooLarge, 0, "patterns nest too deep")
	case r.scan.endless >= 0:
		return newQueryError(r.Rule, Endless, r.scan.endless, "")
	case r.scan.steps > maxSteps:
		return newQueryError(r.Rule, TooLarge, 0, "split the rule")
	case r.scan.patterns == 0:
		return newQueryError(r.Rule, Empty, 0, "")
	}
	return nil
}

// fault makes an error of what tree-sitter said.
func (r *rule) fault(offset int, fault C.TSQueryError) *QueryError {
	kind, detail := BadSyntax, ""
	switch fault {
	case C.TSQueryErrorNodeType:
		kind = BadNodeType
	case C.TSQueryErrorField:
		kind = BadField
	case C.TSQueryErrorCapture:
		kind = BadCapture
	case C.TSQueryErrorStructure:
		kind = BadStructure
	case C.TSQueryErrorLanguage:
		kind = BadLanguage
	}
	offset = min(offset, len(r.Query))
	if kind != BadSyntax && kind != BadStructure {
		end := offset
		for end < len(r.Query) && isIdent(r.Query[end]) {
			end++
		}
		detail = r.Query[offset:end]
	}
	return newQueryError(r.Rule, kind, offset, detail)
}

func compileQuery(language *C.TSLanguage, query string) (*C.TSQuery, int, C.TSQueryError) {
	var offset C.uint32_t
	var fault C.TSQueryError
	q := C.ts_query_new(language, text(query), C.uint32_t(len(query)), &offset, &fault)
	return q, int(offset), fault
}

// captureName and stringValue copy a name or string of a query.
func captureName(q *C.TSQuery, id C.uint32_t) string {
	var n C.uint32_t
	p := C.ts_query_capture_name_for_id(q, id, &n)
	return C.GoStringN(p, C.int(n))
}

func stringValue(q *C.TSQuery, id C.uint32_t) string {
	var n C.uint32_t
	p := C.ts_query_string_value_for_id(q, id, &n)
	return C.GoStringN(p, C.int(n))
}

// steps returns the predicate steps of a pattern.
func steps(q *C.TSQuery, pattern int) []C.TSQueryPredicateStep {
	var n C.uint32_t
	p := C.ts_query_predicates_for_pattern(q, C.uint32_t(pattern), &n)
	return unsafe.Slice(p, int(n))
}

// close frees the rule's own query. No other goroutine uses the rule then.
func (r *rule) close() {
	if r.ownFor != nil {
		C.ts_query_delete(r.ownFor)
		r.ownFor = nil
	}
}
