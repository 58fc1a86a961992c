package executor

import (
	"time"
	"unsafe"
)

// A File is a parsed file. It belongs to one worker at a time.
type File struct {
	// ID differs for each parsed file of the process, so that an executor can
	// tell whether it has seen this one; 0 means that it cannot.
	ID uint64
	// Path is the name that rules and reports see.
	Path     string
	Language Language
	// Text is valid UTF-8; invalid bytes were replaced before parsing.
	Text string
	// ASCII says that Text holds only bytes below 0x80, so that byte offsets
	// are UTF-16 offsets too.
	ASCII bool
	// Tree answers for the parsed text. It is valid until the file's owner
	// parses the next file.
	Tree Tree
}

// A Tree is a parsed file with the matches of all rules of a set.
type Tree interface {
	// Matches returns rule's matches: normally a look-up. When the pass that
	// all rules share was given up on this file, it runs rule's own query for
	// at most left (0: no limit) and says in Matches.Took how long that took;
	// running out gives an error that is ErrTimeout.
	Matches(rule *Rule, left time.Duration) (Matches, error)
}

// NodeWords is the length of one node record: handle, kind, start and end
// offset in UTF-16 units from the file's start, start line, start column, end
// line, end column (1-based, columns in UTF-16 units, end exclusive), field
// (0: none). A handle names the node within its tree; kind and field are the
// grammar's numbers.
const NodeWords = 9

// Matches are one rule's matches in one file as flat memory. The slices are
// valid until the next call of Tree.Matches on the same tree.
type Matches struct {
	// Count is the number of matches, each with at least one capture.
	Count int
	// Names are the rule's capture names; a capture's number is its index.
	// The slice is the same for each file.
	Names []string
	// Nodes holds NodeWords words for each distinct captured node, in order of
	// first capture. A node's number is its index in this list.
	Nodes []uint32
	// Words holds for each match the number of its captures, then a pair of
	// capture number and node number for each.
	Words []uint32
	// Took is the time that the rule's own query took, if it ran.
	Took time.Duration
	// Navigator finds nodes beyond the captured ones.
	Navigator Navigator
}

// A Navigator is a C function, and its first argument, through which a rule
// walks the tree. It is called on the thread that executes:
//
//	int32_t f(void *data, uint32_t op, uint32_t subject, uint32_t from,
//	          uint32_t *out, uint32_t cap)
//
// Op NavChildren writes the records of subject's named children, leaving out
// the first from of them, as many as fit in cap words, and returns how many it
// wrote. NavParent writes one record, or none at the root. NavKind and NavField
// write the name of a kind or field, one character per word, and return its
// length. A negative result means a subject that does not exist.
type Navigator struct {
	Func, Data unsafe.Pointer
}

// The operations of a Navigator.
const (
	NavChildren = iota
	NavParent
	NavKind
	NavField
)
