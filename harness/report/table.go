package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// Table prints a table for a terminal; two arms fit 80 columns.
func Table(w io.Writer, s *compare.Summary) error {
	var b bytes.Buffer
	for _, line := range analyzing(s.Header) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b)
	for _, f := range facts(s) {
		fmt.Fprintf(&b, "%-9s%s\n", f.name, f.text)
	}
	section(&b, ending(s))
	section(&b, conclusion(s))
	if counted(s) {
		if err := terminal(&b, figures(s)); err != nil {
			return err
		}
		section(&b, legend(s))
	}
	if len(s.Counted) > 0 {
		section(&b, passHead(s))
		if err := terminal(&b, passFigures(s)); err != nil {
			return err
		}
	}
	section(&b, passNotes(s))
	section(&b, notes(s))
	section(&b, voids(s))
	_, err := w.Write(b.Bytes())
	return err
}

// counted says whether there are figures to print.
func counted(s *compare.Summary) bool {
	return slices.ContainsFunc(s.Rows[0].Cells, func(c compare.Cell) bool { return c.N > 0 })
}

// terminal draws figures with one line below the header and no others, after an
// empty one.
func terminal(b *bytes.Buffer, f grid) error {
	if len(f.rows) == 0 {
		return nil
	}
	var drawn bytes.Buffer
	style := renderer.NewBlueprint(tw.Rendition{
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On, ShowFooterLine: tw.Off},
		},
	})
	if err := f.draw(&drawn, style, "", " "); err != nil {
		return err
	}
	var lines []string
	widest := 0 // but for the rule, which is as wide as the cells with their padding
	for line := range strings.Lines(drawn.String()) {
		line = strings.TrimRight(line, " \n")
		lines = append(lines, line)
		if n := utf8.RuneCountInString(line); !strings.HasPrefix(line, rule) {
			widest = max(widest, n)
		}
	}
	fmt.Fprintln(b)
	for _, line := range lines {
		if strings.HasPrefix(line, rule) {
			line = strings.Repeat(rule, widest)
		}
		fmt.Fprintln(b, line)
	}
	return nil
}

// rule is what the line below the header is made of.
const rule = "─"

// section prints lines after an empty one.
func section(b *bytes.Buffer, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintln(b)
	}
	for _, line := range lines {
		fmt.Fprintln(b, line)
	}
}

// A grid is a table of texts.
type grid struct {
	header []string
	align  tw.Alignment
	rows   [][]string
}

// figures are the rows of a summary.
func figures(s *compare.Summary) grid {
	g := grid{header: []string{"figure"}, align: tw.Alignment{tw.AlignLeft}}
	for i, arm := range columns(s) {
		g.header = append(g.header, arm, "±")
		g.align = append(g.align, tw.AlignRight, tw.AlignRight)
		if i > 0 {
			g.header = append(g.header, "change", "interval", "verdict")
			g.align = append(g.align, tw.AlignRight, tw.AlignLeft, tw.AlignLeft)
		}
	}
	for _, row := range s.Rows {
		g.rows = append(g.rows, cells(row))
	}
	return g
}

// columns are the arms as a table's header has them. The two sides of a diff have
// the arm's name in common, which the headline says.
func columns(s *compare.Summary) []string {
	if s.Unpaired {
		return []string{"old", "new"}
	}
	names := make([]string, len(s.Header.Arms))
	for i, arm := range s.Header.Arms {
		names[i] = plain(arm)
	}
	return names
}

// draw draws the grid. Left pads each cell on the left and right on the right.
func (g grid) draw(w io.Writer, r tw.Renderer, left, right string) error {
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{PerColumn: g.align},
		Padding:    tw.CellPadding{Global: tw.Padding{Left: left, Right: right, Overwrite: true}},
	}
	t := tablewriter.NewTable(w, tablewriter.WithRenderer(r), tablewriter.WithConfig(tablewriter.Config{
		Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off},
	}))
	t.Header(g.header)
	for _, row := range g.rows {
		if err := t.Append(row); err != nil {
			return err
		}
	}
	return t.Render()
}

// cells are the texts of one row.
func cells(row compare.Row) []string {
	scale := scaleOf(row)
	list := []string{row.Name}
	for i, c := range row.Cells {
		value := "-"
		if c.N > 0 {
			value = scale.print(c.Median)
		}
		list = append(list, value, spread(c.Description))
		if i > 0 {
			estimate, interval := change(row.Cells[0], c)
			list = append(list, estimate, interval, short(verdict(c, estimate))+marks(c.Notes))
		}
	}
	return list
}
