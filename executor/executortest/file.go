package executortest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf16"

	"github.com/ddsabench/ddsabench/executor"
)

// A Match is what a query would have captured: for each capture its name and
// the text of its node, as in "name=text". The node is where the text first
// stands in the file; the same text is the same node.
type Match []string

var fileID atomic.Uint64

// NewFile returns a JavaScript file in which every rule has the given matches.
// Its nodes have no kind and no neighbours.
func NewFile(path, text string, matches ...Match) *executor.File {
	return &executor.File{
		ID:       fileID.Add(1),
		Path:     path,
		Language: executor.JavaScript,
		Text:     text,
		ASCII:    !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }),
		Tree:     &Tree{Found: find(text, matches)},
	}
}

// A Tree is an executor.Tree with the same answer for every rule.
type Tree struct {
	Found executor.Matches
	Err   error
	// During, if it is set, is called by each call of Matches.
	During func()
}

// Matches implements executor.Tree.
func (t *Tree) Matches(*executor.Rule, time.Duration) (executor.Matches, error) {
	if t.During != nil {
		t.During()
	}
	return t.Found, t.Err
}

// find makes flat matches.
func find(text string, matches []Match) executor.Matches {
	m := executor.Matches{Count: len(matches)}
	var seen []string // the nodes' texts, by number
	for _, match := range matches {
		m.Words = append(m.Words, uint32(len(match)))
		for _, capture := range match {
			name, node, _ := strings.Cut(capture, "=")
			if !slices.Contains(m.Names, name) {
				m.Names = append(m.Names, name)
			}
			if !slices.Contains(seen, node) {
				seen = append(seen, node)
				m.Nodes = append(m.Nodes, record(uint32(len(seen)), text, node)...)
			}
			m.Words = append(m.Words, uint32(slices.Index(m.Names, name)), uint32(slices.Index(seen, node)))
		}
	}
	return m
}

// record is the node record of the first place where node stands in text.
func record(handle uint32, text, node string) []uint32 {
	at := strings.Index(text, node)
	if at < 0 {
		panic(fmt.Sprintf("executortest: %q is not in %q", node, text))
	}
	start, end := text[:at], text[:at+len(node)]
	line, col := position(start)
	endLine, endCol := position(end)
	return []uint32{handle, 0, units(start), units(end), line, col, endLine, endCol, 0}
}

// position is where text ends.
func position(text string) (line, col uint32) {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return uint32(strings.Count(text, "\n")) + 1, units(last) + 1
}

// units is text's length in UTF-16.
func units(text string) uint32 { return uint32(len(utf16.Encode([]rune(text)))) }
