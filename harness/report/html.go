package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// All text of a record passes through the template's escaping or, in pictures,
// through that of package chart.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": func(index int) int { return index + 1 },
}).Parse(pageText))

// HTML prints a page that has all it needs in itself: no script, no font, no
// request. It has what Table has, and pictures. Its size is bounded: of many
// samples, pictures show some.
func HTML(w io.Writer, r *harness.Record) error {
	s := compare.Summarize(r)
	p := &page{
		Style:  template.CSS(pageStyle),
		Title:  plain(strings.Join(s.Header.Arms, " against ")),
		Sizes:  analyzing(s.Header),
		Ending: strings.Join(ending(s), "\n"),
		Facts:  merged(append(facts(s), origin(s.Header)...)),
		Arms:   armsOf(s.Header.Arms),
		Notes:  plainAll(s.Notes[:s.Numbered()]),
		Doubts: plainAll(s.Notes[s.Numbered():]),
		Voids:  strings.Join(voids(s), "\n"),
		Rows:   harness.Rows,
	}
	if main := s.Main(); main != nil {
		for i, c := range main.Cells {
			if i > 0 && c.Verdict != "" {
				p.Verdicts = append(p.Verdicts, said{sentence(s, main, c), class(c.Verdict), c.Notes})
			}
		}
	}
	if counted(s) {
		p.Table = tableRows(s)
		p.Legend = method(s)
	}
	var err error
	if p.Pictures, err = pictures(r, s); err != nil {
		return err
	}
	if p.Latency, err = latencyPart(r, s); err != nil {
		return err
	}
	if p.Counts, err = countsTable(s); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// A page is what the template shows.
type page struct {
	Style    template.CSS
	Title    string
	Sizes    []string
	Verdicts []said
	Ending   string
	Facts    []definition
	Arms     []armKey
	Table    []tableRow
	Legend   string
	Notes    []string // by number, from 1
	Doubts   []string // that no number points to
	Pictures []picture
	Latency  *latencies
	Counts   *countTable
	Voids    string
	Rows     []harness.Row
}

// A said is a sentence with its class and the numbers of its footnotes.
type said struct {
	Text, Class string
	Notes       []int
}

// A definition is a fact with all its lines.
type definition struct {
	Name  string
	Lines []string
}

// merged gives lines without a name to the fact before them.
func merged(list []fact) []definition {
	var all []definition
	for _, f := range list {
		if f.name != "" {
			all = append(all, definition{Name: f.name})
		}
		last := &all[len(all)-1]
		last.Lines = append(last.Lines, f.text)
	}
	return all
}

// origin says when and how a record was made.
func origin(h harness.Header) []fact {
	return []fact{
		{"measured", measured(h)},
		{"command", plain(strings.Join(h.Command, " "))},
	}
}

// A tableRow is one figure. Cells are the baseline's first.
type tableRow struct {
	Name  string
	Role  compare.Role
	Cells []tableCell
}

type tableCell struct {
	Value, Spread    string
	Change, Interval string
	Verdict          said
}

func tableRows(s *compare.Summary) []tableRow {
	var rows []tableRow
	for _, row := range s.Rows {
		to := tableRow{Name: strings.TrimSpace(row.Name), Role: row.Role}
		scale := scaleOf(row)
		for i, c := range row.Cells {
			cell := tableCell{Value: "-"}
			if c.N > 0 {
				cell.Value = scale.print(c.Median)
			}
			if text := spread(c.Description); text != "" {
				cell.Spread = "± " + text
			}
			if i > 0 {
				cell.Change, cell.Interval = change(row.Cells[0], c)
				v := verdict(c, cell.Change)
				cell.Verdict = said{string(v), class(v), c.Notes}
			}
			to.Cells = append(to.Cells, cell)
		}
		rows = append(rows, to)
	}
	return rows
}

// A numberRow is a row of a table without changes.
type numberRow struct {
	Name   string
	Values []string
}

// class is the style of a verdict: good, bad, or neither.
func class(v compare.Verdict) string {
	switch v {
	case compare.Faster, compare.Less:
		return "good"
	case compare.Slower, compare.More:
		return "bad"
	}
	return "open"
}

func plainAll(list []string) []string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = plain(text)
	}
	return all
}
