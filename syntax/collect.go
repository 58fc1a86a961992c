package syntax

// #include "document.h"
import "C"

import (
	"slices"
	"time"
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

// A collector makes executor.Matches of the raw matches in C memory. Its
// buffers are used again from file to file.
type collector struct {
	// spans are the matches of each rule of the language, in nodes and words.
	spans        []span
	nodes, words []uint32
	// order is the numbers of the matches that hold, rule by rule.
	order []uint32
	ends  []uint32
	// A document's node was seen in the current rule if its stamp is the
	// rule's; then number is its number there.
	stamp   uint32
	stamps  []uint32
	numbers []uint32
}

// keepWords is the size beyond which buffers are given back after a file.
const keepWords = 1 << 20

// A span is one rule's part of a collector's nodes and words.
type span struct {
	count                                  int
	nodesFrom, nodesTo, wordsFrom, wordsTo int
}

func (s span) fill(m *executor.Matches, c *collector) {
	m.Count = s.count
	m.Nodes = c.nodes[s.nodesFrom:s.nodesTo]
	m.Words = c.words[s.wordsFrom:s.wordsTo]
}

// A document is the raw matches, and the text that predicates look at.
type document struct {
	source   string
	nodes    []C.syn_node
	matches  []C.syn_match
	captures []C.syn_capture

	deadline time.Time // zero: none
	work     int       // bytes of text looked at since the clock was
	refused  bool      // a regular expression would have taken too long
}

func view(d *C.syn_document, source string, deadline time.Time) *document {
	return &document{
		source:   source,
		nodes:    unsafe.Slice(d.nodes, int(d.node_count)),
		matches:  unsafe.Slice(d.matches, int(d.match_count)),
		captures: unsafe.Slice(d.captures, int(d.capture_count)),
		deadline: deadline,
	}
}

func (d *document) of(m *C.syn_match) []C.syn_capture {
	return d.captures[m.first : m.first+m.count]
}

func (d *document) text(node C.uint32_t) string {
	n := &d.nodes[node]
	text := d.source[n.node.context[0]:n.end_byte]
	d.work += len(text) + 32
	return text
}

// affords counts the steps of a regular expression, or refuses them.
func (d *document) affords(steps int) bool {
	d.work += steps / 16
	d.refused = d.refused || steps > maxRegexpSteps && !d.deadline.IsZero()
	return !d.refused
}

// late looks at the clock when there was some work since it did so last.
func (d *document) late() bool {
	if d.refused {
		return true
	}
	if d.work < 1<<15 || d.deadline.IsZero() {
		return false
	}
	d.work = 0
	return time.Now().After(d.deadline)
}

// filter empties the matches whose predicates do not hold. It reports false if
// time ran out.
func (d *document) filter(l *language) bool {
	for i := range d.matches {
		m := &d.matches[i]
		for j := range l.patterns[m.pattern].predicates {
			if !l.patterns[m.pattern].predicates[j].holds(d.of(m), d) {
				m.count = 0
				break
			}
		}
		if d.late() {
			return false
		}
	}
	return true
}

// collectAll sorts the matches of the shared pass by rule. It reports false if
// time ran out.
func (c *collector) collectAll(raw *C.syn_document, l *language, source string, deadline time.Time) bool {
	d := view(raw, source, deadline)
	for i := range d.matches {
		r := l.patterns[d.matches[i].pattern].rule
		captures := d.of(&d.matches[i])
		for j := range captures {
			captures[j].name = C.uint32_t(r.local(uint32(captures[j].name)))
		}
	}
	if !d.filter(l) {
		return false
	}

	// A counting sort, which keeps each rule's order.
	c.ends = slices.Grow(c.ends[:0], len(l.rules))[:len(l.rules)]
	clear(c.ends)
	for i := range d.matches {
		if d.matches[i].count > 0 {
			c.ends[l.patterns[d.matches[i].pattern].rule.index]++
		}
	}
	total := uint32(0)
	for i, n := range c.ends {
		c.ends[i] = total // so far the start
		total += n
	}
	c.order = slices.Grow(c.order[:0], int(total))[:total]
	for i := range d.matches {
		if d.matches[i].count > 0 {
			end := &c.ends[l.patterns[d.matches[i].pattern].rule.index]
			c.order[*end] = uint32(i)
			*end++
		}
	}

	c.reset(d)
	c.spans = c.spans[:0]
	from := uint32(0)
	for _, end := range c.ends {
		c.spans = append(c.spans, c.add(d, c.order[from:end]))
		from = end
	}
	return true
}

// collectOne takes all matches as those of one rule, whose own numbers of the
// captures they have.
func (c *collector) collectOne(raw *C.syn_document, l *language, source string, deadline time.Time) (span, bool) {
	d := view(raw, source, deadline)
	if !d.filter(l) {
		return span{}, false
	}
	c.order = c.order[:0]
	for i := range d.matches {
		if d.matches[i].count > 0 {
			c.order = append(c.order, uint32(i))
		}
	}
	c.reset(d)
	return c.add(d, c.order), deadline.IsZero() || !time.Now().After(deadline)
}

func (c *collector) reset(d *document) {
	if cap(c.words) > keepWords {
		*c = collector{spans: c.spans, order: c.order, ends: c.ends}
	}
	c.nodes, c.words = c.nodes[:0], c.words[:0]
	c.stamp = 0
	c.stamps = slices.Grow(c.stamps[:0], len(d.nodes))[:len(d.nodes)]
	c.numbers = slices.Grow(c.numbers[:0], len(d.nodes))[:len(d.nodes)]
	clear(c.stamps)
}

// add appends one rule's matches.
func (c *collector) add(d *document, matches []uint32) span {
	s := span{count: len(matches), nodesFrom: len(c.nodes), wordsFrom: len(c.words)}
	c.stamp++
	next := uint32(0)
	for _, i := range matches {
		captures := d.of(&d.matches[i])
		c.words = append(c.words, uint32(len(captures)))
		for _, capture := range captures {
			node := capture.node
			if c.stamps[node] != c.stamp {
				c.stamps[node] = c.stamp
				c.numbers[node] = next
				next++
				record := (*[executor.NodeWords]uint32)(unsafe.Pointer(&d.nodes[node].record))
				c.nodes = append(c.nodes, record[:]...)
			}
			c.words = append(c.words, uint32(capture.name), c.numbers[node])
		}
	}
	s.nodesTo, s.wordsTo = len(c.nodes), len(c.words)
	return s
}
