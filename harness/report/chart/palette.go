package chart

import (
	"fmt"
	"image/color"
	"strings"
)

// Colors is the number of different colors of things drawn. The page defines
// them as the CSS variables --color0, --color1 and so on, and --ink and --grid,
// so that it can be dark or light.
const Colors = 6

// Stand-ins for the CSS variables: colors that nothing else has. The SVG canvas
// writes colors as six digits and nothing else.
var (
	ink  = color.RGBA{0xFE, 0xDC, 0x01, 0xFF}
	grid = color.RGBA{0xFE, 0xDC, 0x02, 0xFF}
)

// solid is the color number i; from Colors on they begin anew.
func solid(i int) color.Color { return color.RGBA{0xFE, 0xBA, byte(i % Colors), 0xFF} }

// faint is the same color, but one can see through it.
func faint(i int) color.Color { return color.RGBA{0xFE, 0xFA, byte(i % Colors), 0xFF} }

// variables puts the CSS variables in the stand-ins' place.
var variables = func() *strings.Replacer {
	var pairs []string
	add := func(c color.Color, variable string, opacity map[string]string) {
		r, g, b, _ := c.RGBA()
		for _, property := range []string{"fill", "stroke"} {
			pairs = append(pairs,
				fmt.Sprintf("%s:#%02X%02X%02X", property, r>>8, g>>8, b>>8),
				fmt.Sprintf("%s:var(--%s)%s", property, variable, opacity[property]))
		}
	}
	add(ink, "ink", nil)
	add(grid, "grid", nil)
	for i := range Colors {
		add(solid(i), fmt.Sprintf("color%d", i), nil)
		add(faint(i), fmt.Sprintf("color%d", i), map[string]string{"fill": ";fill-opacity:.18", "stroke": ";stroke-opacity:.4"})
	}
	return strings.NewReplacer(pairs...)
}()
