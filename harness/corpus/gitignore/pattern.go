package gitignore

import (
	"path"
	"strings"
)

// A pattern is one line of a .gitignore file.
type pattern struct {
	glob    string
	plain   int  // length of the plain text that the glob starts with
	negated bool // "!": takes an exclusion back
	dirOnly bool // "/" at the end: folders only
	rooted  bool // "/" elsewhere: the whole path must match, not only the name
}

// parse reads a .gitignore file. A line may end in "\r\n".
func parse(text string) []pattern {
	var patterns []pattern
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		var p pattern
		line, p.negated = strings.CutPrefix(trimSpaces(line), "!")
		line, p.dirOnly = strings.CutSuffix(line, "/")
		p.rooted = strings.Contains(line, "/")
		p.glob = strings.TrimPrefix(line, "/")
		if p.plain = strings.IndexAny(p.glob, `*?[\`); p.plain < 0 {
			p.plain = len(p.glob)
		}
		if p.glob != "" {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// trimSpaces removes the spaces at the end, up to one behind a backslash.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

func (p *pattern) matches(name string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if !p.rooted {
		name = path.Base(name)
	}
	if p.plain == len(p.glob) || len(name) < p.plain || name[:p.plain] != p.glob[:p.plain] {
		return name == p.glob
	}
	// As git does, the plain text is compared on its own: "a**/b" is "a", "**/b".
	return match(p.glob[p.plain:], name[p.plain:])
}
