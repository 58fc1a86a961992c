package chart

import (
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew")

func example() *Chart {
	return &Chart{
		Title: `threads of "a" & <b>`,
		X:     Axis{Label: "x <i>", Max: 10},
		Y:     Axis{Label: "y", Min: -5, Max: 20, Ticks: []Tick{{0, "none"}, {5, ""}, {10, "ten"}}},
		Bands: []Band{{Color: 0, Low: 1, Value: 2, Top: 3}},
		Bars:  []Bars{{Color: 1, Values: []float64{4, 7}}, {Color: 8, Values: []float64{1, 0}}},
		Lines: []Line{{Color: 3, Faint: true, X: []float64{0, 1, 10}, Y: []float64{1, 8, -4}}, {Color: 3, X: []float64{0, 1}, Y: []float64{1, 9}}},
		Dots:  []Line{{Color: 0, X: []float64{1}, Y: []float64{1}}, {Color: 5, X: []float64{2}, Y: []float64{2}}},
	}
}

func TestGolden(t *testing.T) {
	got, err := example().SVG()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "example.svg")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; if it should, run the test with -update (-want +got):\n%s", path, diff)
	}
}

// The element is sound XML, its texts are text, and all colors are the page's.
func TestElement(t *testing.T) {
	svg, err := example().SVG()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	in := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := in.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			texts = append(texts, strings.TrimSpace(string(token)))
		case xml.StartElement:
			if name := token.Name.Local; name == "i" || name == "b" || name == "image" {
				t.Errorf("there is an element %q", name)
			}
		}
	}
	all := strings.Join(texts, "|")
	for _, want := range []string{`threads of "a" & <b>`, "x <i>", "none", "ten"} {
		if !strings.Contains(all, want) {
			t.Errorf("no text %q among %s", want, all)
		}
	}
	for _, bad := range []string{"#F", "http", "font-family", "url("} {
		if strings.Contains(svg, bad) {
			t.Errorf("the element has %q in it", bad)
		}
	}
	for _, want := range []string{"var(--ink)", "var(--grid)", "stroke:var(--color3);stroke-opacity", "fill:var(--color0);fill-opacity", "fill:var(--color2)"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the element has no %q in it", want)
		}
	}
}

// What cannot be drawn is an error, never a panic or a picture that lies.
func TestUndrawable(t *testing.T) {
	for name, spoil := range map[string]func(*Chart){
		"no width":     func(c *Chart) { c.X.Max = c.X.Min },
		"no height":    func(c *Chart) { c.Y.Max = math.NaN() },
		"infinite":     func(c *Chart) { c.Y.Max = math.Inf(1) },
		"not a number": func(c *Chart) { c.Lines[0].Y[1] = math.NaN() },
		"bars":         func(c *Chart) { c.Bars[0].Values[0] = math.Inf(1) },
	} {
		c := example()
		spoil(c)
		if _, err := c.SVG(); err == nil || !strings.Contains(err.Error(), "chart") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
}
