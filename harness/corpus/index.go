package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// An index is a text with one line for each file, in the pack's order:
//
//	lang<TAB>path<TAB>bytes<TAB>sha256-of-content<LF>
//
// lang is js or ts. The same lines, sorted, are what the digest is taken of.

var languageCodes = map[executor.Language]string{executor.JavaScript: "js", executor.TypeScript: "ts"}

func appendLine(b []byte, e *Entry) []byte {
	b = append(b, languageCodes[e.Language]...)
	b = append(b, '\t')
	b = append(b, e.Path...)
	b = append(b, '\t')
	b = strconv.AppendInt(b, e.Size, 10)
	b = append(b, '\t')
	b = hex.AppendEncode(b, e.SHA256[:])
	return append(b, '\n')
}

func writeIndex(w io.Writer, entries []Entry) error {
	out := bufio.NewWriter(w)
	var line []byte
	for i := range entries {
		line = appendLine(line[:0], &entries[i])
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readIndex reads an index and gives each entry its offset in the pack.
func readIndex(r io.Reader) ([]Entry, error) {
	var entries []Entry
	var offset int64
	var again []byte
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			return entries, nil
		}
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return nil, err
		}
		e, ok := parseLine(line)
		if ok {
			// Accept exactly what is written: no signs, zeros or capitals.
			again = appendLine(again[:0], &e)
			ok = bytes.Equal(again, line)
		}
		if !ok {
			return nil, fmt.Errorf("%w: line %d of the index", ErrCorrupt, len(entries)+1)
		}
		e.offset = offset
		offset += e.Size
		entries = append(entries, e)
	}
}

func parseLine(line []byte) (e Entry, ok bool) {
	_, rest, _ := bytes.Cut(line, []byte{'\t'})
	path, rest, _ := bytes.Cut(rest, []byte{'\t'})
	size, sum, _ := bytes.Cut(rest, []byte{'\t'})
	sum, ended := bytes.CutSuffix(sum, []byte{'\n'})
	if !ended || len(sum) != hex.EncodedLen(len(e.SHA256)) {
		return e, false
	}
	e.Path = string(path)
	e.Language = languageOf(e.Path)
	var errSize, errSum error
	e.Size, errSize = strconv.ParseInt(string(size), 10, 64)
	_, errSum = hex.Decode(e.SHA256[:], sum)
	ok = errSize == nil && errSum == nil && e.Size > 0 && e.Size <= maxSize && e.Language != "" && validPath(e.Path)
	return e, ok
}

// validPath reports whether a path is relative, stays below where it starts and
// can stand in a line of an index.
func validPath(p string) bool {
	return fs.ValidPath(p) && p != "." && !strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// digestOf is the SHA-256 (hex) of the entries' lines sorted by language and path.
func digestOf(entries []Entry) string {
	order := make([]*Entry, len(entries))
	for i := range entries {
		order[i] = &entries[i]
	}
	slices.SortFunc(order, func(a, b *Entry) int {
		// The languages' names sort like their codes.
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Path, b.Path))
	})
	h := sha256.New()
	var line []byte
	for _, e := range order {
		line = appendLine(line[:0], e)
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}
