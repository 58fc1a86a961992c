package chart

import (
	"errors"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// add adds all that is to be drawn to the plot.
func (c *Chart) add(p *plot.Plot) error {
	for _, a := range []Axis{c.X, c.Y} {
		// So that NaN is refused, too.
		if length := a.Max - a.Min; !(length > 0) || math.IsInf(length, 0) {
			return errors.New("an axis has no finite length")
		}
	}
	for _, b := range c.Bands {
		if err := c.band(p, b); err != nil {
			return err
		}
	}
	for i, b := range c.Bars {
		if err := c.bars(p, b, i); err != nil {
			return err
		}
	}
	for _, l := range c.Lines {
		line, err := plotter.NewLine(points(l))
		if err != nil {
			return err
		}
		line.Color, line.Width = solid(l.Color), vg.Points(1.5)
		if l.Faint {
			line.Color, line.Width = faint(l.Color), vg.Points(0.75)
		}
		p.Add(line)
	}
	for _, l := range c.Dots {
		dots, err := plotter.NewScatter(points(l))
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: solid(l.Color), Radius: vg.Points(2.5), Shape: glyphs[l.Color%len(glyphs)]}
		p.Add(dots)
	}
	return nil
}

// glyphs tell dots apart without color.
var glyphs = []draw.GlyphDrawer{
	draw.BoxGlyph{}, draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{},
}

func points(l Line) plotter.XYs {
	xys := make(plotter.XYs, min(len(l.X), len(l.Y)))
	for i := range xys {
		xys[i].X, xys[i].Y = l.X[i], l.Y[i]
	}
	return xys
}

func (c *Chart) band(p *plot.Plot, b Band) error {
	area, err := plotter.NewPolygon(plotter.XYs{{X: c.X.Min, Y: b.Low}, {X: c.X.Max, Y: b.Low}, {X: c.X.Max, Y: b.Top}, {X: c.X.Min, Y: b.Top}})
	if err != nil {
		return err
	}
	area.Color, area.LineStyle.Width = faint(b.Color), 0
	line, err := plotter.NewLine(plotter.XYs{{X: c.X.Min, Y: b.Value}, {X: c.X.Max, Y: b.Value}})
	if err != nil {
		return err
	}
	line.Color, line.Width = solid(b.Color), vg.Points(1)
	p.Add(area, line)
	return nil
}

// bars adds the set number i.
func (c *Chart) bars(p *plot.Plot, b Bars, i int) error {
	each := vg.Points(120) / vg.Length(len(c.Bars))
	bars, err := plotter.NewBarChart(plotter.Values(b.Values), each*0.8)
	if err != nil {
		return err
	}
	bars.Color, bars.LineStyle.Width = solid(b.Color), 0
	bars.Offset = each * (vg.Length(i) - vg.Length(len(c.Bars)-1)/2)
	p.Add(bars)
	return nil
}
