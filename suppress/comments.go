package suppress

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ddsabench/ddsabench/executor"
)

// Comments are the suppression comments of one file. The zero value suppresses
// nothing. They do not change, so any goroutine may use them.
type Comments struct {
	file  scope
	lines map[int]scope // by the line that they count for
}

// opening is the start of a suppression comment: 1 the comment's mark, 2 the
// keyword.
var opening = regexp.MustCompile(`(//|/\*)[\s\pZ]*(no-dd-sa|datadog-disable)(?:[^\pL\pN_-]|$)`)

// mayHaveAny is false for most texts, and quick: the keywords' beginnings, "no"
// and "da", are so frequent in code that a search for them is ten times slower.
func mayHaveAny(text string) bool {
	return strings.Contains(text, "-dd-sa") || strings.Contains(text, "dog-disable")
}

// Parse reads a file's suppression comments. Lines end in "\n" or "\r\n". A text
// without such a comment costs a search for each keyword and no allocation. In a
// language whose comments are not known there are none.
func Parse(text string, language executor.Language) Comments {
	if language != executor.JavaScript && language != executor.TypeScript {
		return Comments{}
	}
	if !mayHaveAny(text) {
		return Comments{}
	}
	c := Comments{lines: map[int]scope{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		s := parseLine(line)
		switch {
		case s.empty():
		case number == 1:
			c.file = s
		default:
			c.lines[number+1] = s
		}
	}
	return c
}

// parseLine returns what the comments of a line suppress together.
func parseLine(line string) scope {
	var s scope
	for {
		at := opening.FindStringSubmatchIndex(line)
		if at == nil {
			return s
		}
		comment, rest := line[at[5]:], ""
		if line[at[2]:at[3]] == "/*" {
			comment, rest, _ = strings.Cut(comment, "*/")
		}
		s.add(ruleNames(comment))
		line = rest
	}
}

var noMarks = strings.NewReplacer("//", " ", "/*", " ", "*/", " ")

// ruleNames returns the words of a comment that name rules.
func ruleNames(comment string) []string {
	words := strings.FieldsFunc(noMarks.Replace(comment), func(c rune) bool { return c == ',' || c == ':' || unicode.IsSpace(c) })
	return slices.DeleteFunc(words, func(word string) bool { return !strings.Contains(word, "/") })
}

// Empty reports whether nothing is suppressed.
func (c Comments) Empty() bool { return c.file.empty() && len(c.lines) == 0 }

// Suppressed reports whether a violation of the rule, by its full name, that
// starts on a line (1-based) is suppressed.
func (c Comments) Suppressed(rule string, line int) bool {
	return c.file.has(rule) || c.lines[line].has(rule)
}

// A scope is a set of rules.
type scope struct {
	all   bool
	rules map[string]bool
}

// add adds rules, or all if none is named.
func (s *scope) add(rules []string) {
	if len(rules) == 0 {
		s.all = true
	}
	if s.rules == nil {
		s.rules = map[string]bool{}
	}
	for _, r := range rules {
		s.rules[r] = true
	}
}

func (s scope) has(rule string) bool { return s.all || s.rules[rule] }

func (s scope) empty() bool { return !s.all && len(s.rules) == 0 }
