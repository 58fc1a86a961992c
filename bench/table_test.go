package bench

import (
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// A table is printed as Markdown, its first column to the left.
type table struct {
	title  string
	header []string
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) error {
	align := tw.Alignment{tw.AlignLeft}
	for range t.header[1:] {
		align = append(align, tw.AlignRight)
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	if _, err := fmt.Fprintf(w, "\n**%s**\n\n", t.title); err != nil {
		return err
	}
	drawn := tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()),
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}))
	drawn.Header(t.header)
	for _, row := range t.rows {
		if err := drawn.Append(row); err != nil {
			return err
		}
	}
	return drawn.Render()
}

// duration prints ns with three digits.
func duration(ns float64) string {
	switch size := math.Abs(ns); {
	case size > 999.5e3:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	case size > 999.5:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.0f ns", ns)
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", -3.2: "-3 ns", -1500: "-1.5 µs", 999.4: "999 ns", 999.6: "1 µs", 1234: "1.23 µs", 45_678: "45.7 µs", 999_400: "999 µs", 1_000_000: "1 ms",
	} {
		if got := duration(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
}
