package findings

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plain is text as it is or, if it could confuse a terminal, quoted.
func Plain(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		return strconv.Quote(text)
	}
	return text
}
