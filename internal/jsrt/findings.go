package jsrt

import (
	"errors"
	"unicode/utf8"

	"github.com/ddsabench/ddsabench/executor"
)

// errFindings cannot happen unless a rule found a way into the memory or into
// the setup's own functions.
var errFindings = errors.New("jsrt: malformed findings")

// findings reads what setup/4-violation.js handed over: numbers in words, texts
// one after another in text. Nothing that a script wrote is taken on trust.
type findings struct {
	words []uint32
	text  string
	bad   bool
}

func readFindings(words []uint32, text string, l executor.Limits) ([]executor.Violation, string, error) {
	n, at := words[wordViolations], words[wordFindingsAt]
	if int64(n) > int64(l.Violations) || int64(at) > int64(len(words)) {
		return nil, "", errFindings
	}
	if n == 0 && words[wordOutput] == 0 {
		return nil, "", nil
	}
	f := findings{words: words[at:], text: text}
	var violations []executor.Violation
	if n > 0 {
		violations = make([]executor.Violation, n)
	}
	for i := range violations {
		v := &violations[i]
		v.Start, v.End, v.Message = f.position(), f.position(), f.string()
		v.Fixes = list(&f, f.fix)
		if f.bad {
			return nil, "", errFindings
		}
	}
	if words[wordOutput] == 0 {
		f.text = ""
	}
	if len(f.text) > 4*l.Output { // a UTF-16 unit takes at most 3 bytes
		return nil, "", errFindings
	}
	return violations, f.text, nil
}

func list[T any](f *findings, item func() T) []T {
	n := f.word()
	if f.bad || int64(n) > int64(len(f.words)) {
		f.bad = true
		return nil
	}
	if n == 0 {
		return nil
	}
	items := make([]T, 0, n)
	for range n {
		items = append(items, item())
	}
	return items
}

func (f *findings) fix() executor.Fix {
	return executor.Fix{Description: f.string(), Edits: list(f, f.edit)}
}

var editKinds = [...]string{"ADD", "REMOVE", "UPDATE"}

func (f *findings) edit() executor.Edit {
	kind := f.word()
	if kind >= uint32(len(editKinds)) {
		f.bad = true
		return executor.Edit{}
	}
	e := executor.Edit{Kind: editKinds[kind], Start: f.position()}
	if e.Kind != "ADD" {
		end := f.position()
		e.End = &end
	}
	if e.Kind != "REMOVE" {
		content := f.string()
		e.Content = &content
	}
	return e
}

func (f *findings) position() executor.Position {
	return executor.Position{Line: int(f.word()), Col: int(f.word())}
}

func (f *findings) word() uint32 {
	if len(f.words) == 0 {
		f.bad = true
		return 0
	}
	w := f.words[0]
	f.words = f.words[1:]
	return w
}

// string reads a text whose length is given in UTF-16 units and which is
// followed by a line feed.
func (f *findings) string() string {
	units := int64(f.word())
	end := 0
	for units > 0 && end < len(f.text) {
		if f.text[end] < utf8.RuneSelf {
			end++
			units--
			continue
		}
		r, size := utf8.DecodeRuneInString(f.text[end:])
		end += size
		units--
		if r > 0xFFFF {
			units--
		}
	}
	if units != 0 || end >= len(f.text) || f.text[end] != '\n' {
		f.bad = true
		return ""
	}
	s := f.text[:end]
	f.text = f.text[end+1:]
	return s
}
