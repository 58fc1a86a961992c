package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// The counted pass in text: its table, and what a reader should know about it.

// passHead introduces the table.
func passHead(s *compare.Summary) []string {
	text := "Counted pass: one more process of each arm, traced, so without times."
	if slices.ContainsFunc(s.Counted, func(c compare.Counted) bool { return c.Empty != nil }) {
		text += " Beside each, \"empty\" is the same without files: what starting and ending costs."
	}
	return Wrap(text, width)
}

// passFigures are the counts, a column for each arm and for its empty run. Rows
// that are 0 throughout are left out.
func passFigures(s *compare.Summary) grid {
	g := grid{header: []string{"count"}, align: tw.Alignment{tw.AlignLeft}}
	var all [][]tally
	add := func(name string, c *harness.Counted) {
		if c != nil {
			g.header, g.align = append(g.header, name), append(g.align, tw.AlignRight)
			all = append(all, countsOf(c))
		}
	}
	for _, c := range s.Counted {
		add(plain(c.Arm), c.Counted)
		add("empty", c.Empty)
	}
	for _, row := range tallyRows(all) {
		if slices.ContainsFunc(row.Values, func(v string) bool { return v != "0" && v != "0 B" && v != "-" }) {
			g.rows = append(g.rows, append([]string{row.Name}, row.Values...))
		}
	}
	return g
}

// passNotes are passSentences for a terminal.
func passNotes(s *compare.Summary) []string {
	var lines []string
	for _, text := range passSentences(s) {
		lines = append(lines, Wrap(text, width)...)
	}
	return lines
}

// passSentences say where the counts come from and what is not exact about them.
func passSentences(s *compare.Summary) []string {
	var list []string
	add := func(text string) { list = append(list, text) }
	if why := s.Header.Uncounted; why != "" {
		add("No counted pass: " + plain(strings.ReplaceAll(why, "\n", "; ")))
	}
	cache, said, exits := map[bool]bool{}, map[string]bool{}, false
	for _, c := range s.Counted {
		if c.Void != nil {
			add(fmt.Sprintf("not counted: %s: %s", plain(c.Arm), plain(c.Void.String())))
			continue
		}
		cache[c.Counted.StackCache] = true
		exits = exits || c.Counted.Counts[harness.ThreadExits] > c.Counted.Counts[harness.ThreadsCreated]
		for _, text := range sourceNotes(c.Counted) {
			if !said[text] { // mostly the same for all arms
				add(text)
			}
			said[text] = true
		}
		if n := c.Counted.LostEvents; n > 0 {
			add(fmt.Sprintf("%s: %d events were lost, so mappings and bytes are not exact.", plain(c.Arm), n))
		}
		for _, note := range c.Counted.Notes {
			add(plain(c.Arm) + ": " + plain(note))
		}
	}
	if exits {
		add("More threads end than are created: a process's first thread and those that were there before counting began end, too.")
	}
	for _, on := range []bool{true, false} {
		if cache[on] {
			add(stackCacheNote(on))
		}
	}
	return list
}

// sourceNotes name the source, and say why it is no better one.
func sourceNotes(c *harness.Counted) []string {
	list := []string{fmt.Sprintf("Counted by %s.", plain(string(c.Source)))}
	for _, why := range c.Declined {
		list = append(list, "Not used: "+plain(why))
	}
	return list
}

// stackCacheNote says what the C library's cache of stacks does to the counts.
func stackCacheNote(on bool) string {
	if on {
		return "The C library's stack cache is on, as it is by default: a new thread gets the stack of one that has ended, " +
			"so threads made one after another show as threads created, madvise and futex calls, and hardly as mappings and bytes. " +
			"Other C libraries map each stack anew; --stack-cache off shows that."
	}
	return "The C library's stack cache is off: each thread's stack is mapped for it and unmapped after it, " +
		"as with other C libraries. By default the cache is on and most of these mappings do not happen."
}
