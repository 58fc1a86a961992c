package findings

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// columns are the heads of the forms that are lists.
var columns = []string{
	"path", "language", "start_line", "start_column", "end_line", "end_column", "severity", "category", "rule", "kind", "text",
}

// A csvForm writes a line for each finding and nothing else (RFC 4180, without
// carriage returns).
type csvForm struct{ w *csv.Writer }

func newCSV(w io.Writer) Form { return csvForm{csv.NewWriter(w)} }

func (c csvForm) Begin(*Head) error { return c.w.Write(columns) }

func (c csvForm) File(f *executor.FileResult) error {
	for one := range list(f) {
		cells := one.cells()
		for i := range cells {
			cells[i] = cell(cells[i])
		}
		if err := c.w.Write(cells); err != nil {
			return err
		}
	}
	return nil
}

func (c csvForm) End(*Head, *Totals) error { return nil }

func (c csvForm) Flush() error {
	c.w.Flush()
	return c.w.Error()
}

// cells are the finding's values under columns. What a finding does not have
// is empty.
func (f finding) cells() []string {
	cells := make([]string, len(columns))
	cells[0], cells[1] = f.path, string(f.language)
	if f.found != nil {
		for i, n := range []int{f.found.Start.Line, f.found.Start.Col, f.found.End.Line, f.found.End.Col} {
			cells[2+i] = strconv.Itoa(n)
		}
	}
	if f.rule != nil {
		cells[6], cells[7], cells[8] = string(f.rule.Severity), f.rule.Category, f.rule.Name
	}
	cells[9], cells[10] = f.kind, f.text
	return cells
}

// cell keeps a spreadsheet from taking text for a formula: an apostrophe goes
// in front, of an apostrophe too, so that it can be taken off again. Carriage
// returns would not come back from a reader.
func cell(text string) string {
	text = strings.ReplaceAll(text, "\r", "\uFFFD")
	if text != "" && strings.ContainsRune("=+-@\t\n'", rune(text[0])) {
		return "'" + text
	}
	return text
}
