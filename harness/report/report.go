package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// A Form prints a summary in one form, with one write.
type Form func(io.Writer, *compare.Summary) error

// Names are the forms that ByName knows.
var Names = []string{"table", "markdown", "json"}

// ByName returns the form with that name. An unknown name is an error that
// gives the known ones.
func ByName(name string) (Form, error) {
	switch name {
	case "table":
		return Table, nil
	case "markdown":
		return Markdown, nil
	case "json":
		return JSON, nil
	}
	return nil, fmt.Errorf("unknown format %q; known are %s", name, strings.Join(Names, ", "))
}

// JSON prints all of the summary, indented, values in base units.
func JSON(w io.Writer, s *compare.Summary) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(s)
}

// Explain prints what each row means, for a terminal of 80 columns.
func Explain(w io.Writer) error {
	var b strings.Builder
	for _, row := range harness.Rows {
		lines := Wrap(row.Explain, 58)
		for i, line := range lines {
			name := ""
			if i == 0 {
				name = row.Name
			}
			fmt.Fprintf(&b, "%-20s%s\n", name, line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Wrap breaks text at spaces into lines of at most width bytes, longer words
// apart.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
