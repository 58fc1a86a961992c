package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ddsabench/ddsabench/executor"
)

// A listing says which files a corpus has. Names and sums stay in the index's
// text, on disk for a tier, so that memory hardly grows with the number of
// files.
type listing struct {
	text   io.ReaderAt // an index
	blocks []place     // of each blockLength-th line of the index
	// picked are the lines of the files, from 0; nil: all of them.
	picked []uint32
	length int
	counts map[executor.Language]int
	bytes  int64
	digest string
}

// blockLength is how many lines of an index are read to find one.
const blockLength = 16

// A place is where a line starts in the index, and its file's content in the
// pack.
type place struct{ line, content int64 }

// newListing lists all entries of an index. Without its text, one is made.
func newListing(entries []Entry, text io.ReaderAt) listing {
	l := listing{text: text}
	var lines bytes.Buffer
	var line []byte
	var offset int64
	for i := range entries {
		if i%blockLength == 0 {
			l.blocks = append(l.blocks, place{offset, entries[i].offset})
		}
		line = appendLine(line[:0], &entries[i])
		if text == nil {
			lines.Write(line) // a bytes.Buffer does not fail
		}
		l.count(&entries[i])
		offset += int64(len(line))
	}
	if text == nil {
		l.text = bytes.NewReader(lines.Bytes())
	}
	l.digest = digestOf(entries)
	return l
}

func (l *listing) count(e *Entry) {
	if l.counts == nil {
		l.counts = map[executor.Language]int{}
	}
	l.length++
	l.counts[e.Language]++
	l.bytes += e.Size
}

// pick lists those files that keep wants, in the same order.
func (l *listing) pick(keep func(*Entry) bool) (listing, error) {
	part := listing{text: l.text, blocks: l.blocks, picked: []uint32{}}
	all, err := l.entries()
	if err != nil {
		return listing{}, err
	}
	var entries []Entry
	for i := range all {
		if keep(&all[i]) {
			part.picked = append(part.picked, uint32(l.line(i)))
			part.count(&all[i])
			entries = append(entries, all[i])
		}
	}
	part.digest = digestOf(entries)
	return part, nil
}

// entries reads all files' lines at once.
func (l *listing) entries() ([]Entry, error) {
	all, err := readIndex(io.NewSectionReader(l.text, 0, math.MaxInt64))
	if err != nil || l.picked == nil {
		return all, err
	}
	var picked []Entry
	for _, line := range l.picked {
		if int(line) >= len(all) {
			return nil, fmt.Errorf("%w: the index has changed", ErrCorrupt)
		}
		picked = append(picked, all[line])
	}
	return picked, nil
}

// line is the number of file i's line.
func (l *listing) line(i int) int {
	if l.picked != nil {
		return int(l.picked[i])
	}
	return i
}

// entry reads file i's line, and those before it in its block, whose sizes give
// the place of its content.
func (l *listing) entry(i int) (Entry, error) {
	line := l.line(i)
	at := l.blocks[line/blockLength]
	const usualBlock = blockLength * 256 // bytes, at most
	for size := usualBlock; ; size *= 2 {
		buf := make([]byte, size)
		n, err := l.text.ReadAt(buf, at.line)
		if err != nil && !errors.Is(err, io.EOF) {
			return Entry{}, err
		}
		e, ok := nthEntry(buf[:n], line%blockLength)
		if !ok && n == size && size < maxBlock {
			continue
		}
		if !ok {
			return Entry{}, fmt.Errorf("%w: the index has changed", ErrCorrupt)
		}
		e.offset += at.content
		return e, nil
	}
}

// maxBlock is more than a block's bytes with the longest paths.
const maxBlock = 1 << 20

// nthEntry is the entry in line n of text, from 0, with its offset from that in
// line 0.
func nthEntry(text []byte, n int) (e Entry, ok bool) {
	var offset int64
	for ; ; n-- {
		end := bytes.IndexByte(text, '\n') + 1
		if e, ok = parseLine(text[:end]); !ok || n == 0 {
			e.offset = offset
			return e, ok
		}
		offset += e.Size
		text = text[end:]
	}
}
