package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// Markdown prints what Table does, for a page.
func Markdown(w io.Writer, s *compare.Summary) error {
	var b bytes.Buffer
	for _, line := range analyzing(s.Header) {
		fmt.Fprintf(&b, "%s  \n", line)
	}
	fmt.Fprintln(&b)
	for _, f := range facts(s) {
		if f.name == "" {
			fmt.Fprintf(&b, "  (%s)\n", escape(f.text))
		} else {
			fmt.Fprintf(&b, "- %s: %s\n", f.name, escape(f.text))
		}
	}
	block(&b, ending(s))
	if lines := conclusion(s); len(lines) > 0 {
		fmt.Fprintf(&b, "\n%s\n", escape(strings.Join(lines, "\n")))
	}
	if counted(s) {
		fmt.Fprintln(&b)
		if err := figures(s).draw(&b, renderer.NewMarkdown(), " ", " "); err != nil {
			return err
		}
		fmt.Fprintln(&b)
		fmt.Fprintln(&b, escape(strings.Join(legend(s), "\n")))
	}
	if g := passFigures(s); len(g.rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n", escape(strings.Join(passHead(s), "\n")))
		if err := g.draw(&b, renderer.NewMarkdown(), " ", " "); err != nil {
			return err
		}
	}
	block(&b, passNotes(s))
	block(&b, append(notes(s), voids(s)...))
	_, err := w.Write(b.Bytes())
	return err
}

// block prints lines as they are, in a fence that none of them can end.
func block(b *bytes.Buffer, lines []string) {
	if len(lines) == 0 {
		return
	}
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "\n%stext\n%s\n%s\n", fence, strings.Join(lines, "\n"), fence)
}

// escape takes from text what Markdown would read as markup.
func escape(text string) string {
	return strings.NewReplacer("<", "&lt;", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[").Replace(text)
}
