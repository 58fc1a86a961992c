package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

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
		if err := terminal(&b, s); err != nil {
			return err
		}
	}
	section(&b, notes(s))
	section(&b, voids(s))
	_, err := w.Write(b.Bytes())
	return err
}

// counted says whether there are figures to print.
func counted(s *compare.Summary) bool {
	return slices.ContainsFunc(s.Rows[0].Cells, func(c compare.Cell) bool { return c.N > 0 })
}

// terminal draws the rows with one line below the header and no others.
func terminal(b *bytes.Buffer, s *compare.Summary) error {
	var drawn bytes.Buffer
	lines := renderer.NewBlueprint(tw.Rendition{
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On, ShowFooterLine: tw.Off},
		},
	})
	if err := draw(&drawn, s, lines, "", " "); err != nil {
		return err
	}
	fmt.Fprintln(b)
	for line := range strings.Lines(drawn.String()) {
		fmt.Fprintln(b, strings.TrimRight(line, " \n"))
	}
	section(b, legend(s))
	return nil
}

// section prints lines after an empty one.
func section(b *bytes.Buffer, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintln(b)
	}
	for _, line := range lines {
		fmt.Fprintln(b, line)
	}
}

// draw draws the rows. Left pads each cell on the left and right on the right.
func draw(w io.Writer, s *compare.Summary, r tw.Renderer, left, right string) error {
	header := []string{"figure"}
	align := tw.Alignment{tw.AlignLeft}
	for i, arm := range s.Header.Arms {
		header = append(header, plain(arm), "±")
		align = append(align, tw.AlignRight, tw.AlignRight)
		if i > 0 {
			header = append(header, "change", "interval", "verdict")
			align = append(align, tw.AlignRight, tw.AlignLeft, tw.AlignLeft)
		}
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Left: left, Right: right, Overwrite: true}},
	}
	t := tablewriter.NewTable(w, tablewriter.WithRenderer(r), tablewriter.WithConfig(tablewriter.Config{
		Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off},
	}))
	t.Header(header)
	for _, row := range s.Rows {
		if err := t.Append(cells(row)); err != nil {
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
			list = append(list, estimate, interval, short(c.Verdict)+marks(c.Notes))
		}
	}
	return list
}
