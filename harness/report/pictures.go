package report

import (
	"html/template"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/report/chart"
)

// A picture is a chart with its heading, whose colors are whose, and what it
// shows in words.
type picture struct {
	Heading string
	Arms    []armKey
	SVG     template.HTML
	Caption string
}

// Bounds of what pictures show, so that the page stays small.
const (
	maxRuns   = 10  // of an arm, in one picture
	maxPoints = 200 // of a run or an arm
)

// pictures draws what there is to draw of the timed samples.
func pictures(r *harness.Record, s *compare.Summary) ([]picture, error) {
	var list []picture
	for _, draw := range []func(*harness.Record, *compare.Summary) (*picture, error){ratios, threads, resident} {
		p, err := draw(r, s)
		if err != nil {
			return nil, err
		}
		if p != nil {
			list = append(list, *p)
		}
	}
	return list, nil
}

// drawn draws a chart. Package chart escapes the texts in it.
func drawn(c *chart.Chart, heading, caption string, arms []armKey) (*picture, error) {
	svg, err := c.SVG()
	if err != nil {
		return nil, err
	}
	return &picture{heading, arms, template.HTML(svg), caption}, nil
}

// An armKey is an arm and the number of its color.
type armKey struct {
	Name  string
	Color int
}

func armsOf(arms []string) []armKey {
	list := make([]armKey, len(arms))
	for i, name := range arms {
		list[i] = armKey{plain(name), i % chart.Colors}
	}
	return list
}
