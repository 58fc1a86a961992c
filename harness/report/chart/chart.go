package chart

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Chart is what is to be drawn, from back to front: bands, bars, lines, dots.
type Chart struct {
	// Title says what the picture shows, to those who do not see it.
	Title string
	X, Y  Axis
	Bands []Band
	Bars  []Bars
	Lines []Line
	Dots  []Line
}

// An Axis is drawn from Min to Max. It needs Min < Max, both finite.
type Axis struct {
	Label    string
	Min, Max float64
	// Ticks are the marks; nil lets them be chosen. One without a label is
	// drawn small.
	Ticks []Tick
}

// A Tick is a mark on an axis.
type Tick struct {
	At    float64
	Label string
}

// A Line has equally many X and Y. Color counts from 0; Faint is for what
// stands behind. Dots ignore Faint.
type Line struct {
	Color int
	Faint bool
	X, Y  []float64
}

// A Band is an interval over the whole width, with its estimate as a line.
type Band struct {
	Color           int
	Low, Value, Top float64
}

// Bars are one color's bars, the first around X = 0. Those of one place stand
// side by side.
type Bars struct {
	Color  int
	Values []float64
}

// The size of a picture in points. A page may scale it.
const (
	width  vg.Length = 460
	height vg.Length = 230
)

// SVG draws the chart as one svg element.
func (c *Chart) SVG() (string, error) {
	p := plot.New()
	p.BackgroundColor = nil
	axis(&p.X, c.X)
	axis(&p.Y, c.Y)
	lines := plotter.NewGrid()
	lines.Vertical.Color = nil
	lines.Horizontal.Color = grid
	lines.Horizontal.Width = vg.Points(0.5)
	p.Add(lines)
	if err := c.add(p); err != nil {
		return "", fmt.Errorf("chart %q: %w", c.Title, err)
	}
	// Adding widens the axes to what was added.
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.X.Min, c.X.Max, c.Y.Min, c.Y.Max

	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", err
	}
	return c.element(b.String())
}

// element makes a document an element: without a prologue, namespaces, fixed
// size and fonts, with a title.
func (c *Chart) element(document string) (string, error) {
	_, inner, ok := strings.Cut(document, "xlink\">\n")
	if !ok {
		return "", fmt.Errorf("chart %q: not the SVG that was expected", c.Title)
	}
	title := html.EscapeString(c.Title)
	head := fmt.Sprintf("<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\"><title>%s</title>\n", width, height, title, title)
	inner = strings.ReplaceAll(inner, "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "")
	return head + variables.Replace(strings.TrimSpace(inner)), nil
}

func axis(to *plot.Axis, a Axis) {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(10)}
	to.Label.Text = a.Label
	to.Label.TextStyle.Font, to.Tick.Label.Font = sans, sans
	to.Label.TextStyle.Color, to.Tick.Label.Color = ink, ink
	to.Label.Padding = vg.Points(4)
	to.LineStyle.Color, to.Tick.LineStyle.Color = ink, ink
	to.Min, to.Max = a.Min, a.Max
	to.Tick.Marker = plot.TickerFunc(shortTicks)
	if a.Ticks != nil {
		ticks := make(plot.ConstantTicks, len(a.Ticks))
		for i, t := range a.Ticks {
			ticks[i] = plot.Tick{Value: t.At, Label: t.Label}
		}
		to.Tick.Marker = ticks
	}
}

// shortTicks are the usual ones without zeros at the end of labels.
func shortTicks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if !t.IsMinor() {
			ticks[i].Label = strconv.FormatFloat(t.Value, 'g', 6, 64)
		}
	}
	return ticks
}
