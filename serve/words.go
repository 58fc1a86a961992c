package serve

import "strings"

// Most of what a client chose comes back in answers or the log, and some of it
// with every rule, so each text has a bound, in bytes.
const (
	maxName  = 4 << 10 // of a file or rule; a longer one is refused
	maxShort = 256     // of a name in the log, or within another text
	maxWords = 4 << 10 // of what is said of an error
)

// short cuts a name that the client chose.
func short(name string) string { return cut(name, maxShort) }

// words is an error's text for answers and the log, with the names in it cut
// first, so that they do not hide the rest.
func words(err error, names ...string) string {
	text := err.Error()
	for _, name := range names {
		text = strings.ReplaceAll(text, name, short(name))
	}
	return cut(text, maxWords)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
