// Package findingstest reads the forms of package findings back, for tests that
// compare what they hold.
package findingstest

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// What a row is, besides the outcomes of executions that went wrong.
const (
	Violation   = "violation"
	NotAnalyzed = "not analyzed"
)

// A Row is what all forms say of a finding; the table says no more, and words
// errors in its own way.
type Row struct {
	Path, Rule, Kind string
	Line, Column     int
	Severity, Text   string
}

var parsers = map[string]func(*testing.T, string) []Row{
	"table": parseTable, "json": parseJSON, "csv": parseCSV, "markdown": parseMarkdown, "sarif": parseSARIF,
}

// Parse reads a form's report. What is not well-formed fails the test.
func Parse(t *testing.T, form, text string) []Row {
	t.Helper()
	return parsers[form](t, text)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	check(t, err)
	return n
}

var (
	tableViolation = regexp.MustCompile(`^(.*):(\d+):(\d+): ([A-Z]+) (\S+): (.*)$`)
	tableFailure   = regexp.MustCompile(`^rule (\S+) on (.*?): (timeout|memory|script error|internal error|crashed|hung)\b`)
	tableFile      = regexp.MustCompile(`^(.*): not analyzed: (.*)$`)
)

func parseTable(t *testing.T, text string) (rows []Row) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if p := tableViolation.FindStringSubmatch(line); p != nil {
			rows = append(rows, Row{p[1], p[5], Violation, number(t, p[2]), number(t, p[3]), p[4], p[6]})
		} else if p := tableFailure.FindStringSubmatch(line); p != nil {
			rows = append(rows, Row{Path: p[2], Rule: p[1], Kind: p[3]})
		} else if p := tableFile.FindStringSubmatch(line); p != nil {
			rows = append(rows, Row{Path: p[1], Kind: NotAnalyzed, Text: p[2]})
		}
	}
	return rows
}

func parseJSON(t *testing.T, text string) (rows []Row) {
	var all struct {
		Results []struct {
			Path, Rule, Severity, Outcome, Error string
			Violations                           []struct {
				Start   struct{ Line, Col int }
				Message string
			}
		}
	}
	check(t, json.Unmarshal([]byte(text), &all))
	for _, r := range all.Results {
		for _, v := range r.Violations {
			rows = append(rows, Row{r.Path, r.Rule, Violation, v.Start.Line, v.Start.Col, r.Severity, v.Message})
		}
		if r.Outcome != "ok" {
			rows = append(rows, Row{Path: r.Path, Rule: r.Rule, Kind: r.Outcome, Severity: r.Severity, Text: r.Error})
		}
	}
	return rows
}

func parseCSV(t *testing.T, text string) (rows []Row) {
	r := csv.NewReader(strings.NewReader(text))
	for first := true; ; first = false {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		check(t, err)
		if first {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimPrefix(cells[i], "'")
		}
		rows = append(rows, Row{cells[0], cells[8], cells[9], number(t, cells[2]), number(t, cells[3]), cells[6], cells[10]})
	}
}

// parseMarkdown reads the first table as GitHub's dialect has it: a bar ends
// a cell unless a backslash is before it.
func parseMarkdown(t *testing.T, text string) (rows []Row) {
	text, _, _ = strings.Cut(text, "\n## Summary")
	for line := range strings.Lines(text) {
		line, isRow := strings.CutPrefix(strings.TrimSuffix(line, " |\n"), "| ")
		if !isRow || strings.HasPrefix(line, "path |") || strings.HasPrefix(line, "---") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), " | ")
		if len(cells) != 7 {
			t.Fatalf("%d cells in %q", len(cells), line)
		}
		for i := range cells {
			cells[i] = unspan(t, strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|"))
		}
		start, _, _ := strings.Cut(cells[1], "-")
		l, c, _ := strings.Cut(start, ":")
		rows = append(rows, Row{cells[0], cells[4], cells[5], number(t, l), number(t, c), cells[2], cells[6]})
	}
	return rows
}

// unspan reads a cell that is one code span, as CommonMark does, or plain.
func unspan(t *testing.T, cell string) string {
	if !strings.HasPrefix(cell, "`") {
		return cell
	}
	fence := cell[:len(cell)-len(strings.TrimLeft(cell, "`"))]
	inner, closed := strings.CutSuffix(cell[len(fence):], fence)
	if !closed || strings.Contains(inner, fence) {
		t.Fatalf("%q is not one code span", cell)
	}
	if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.Trim(inner, " ") != "" {
		inner = inner[1 : len(inner)-1]
	}
	return inner
}

func parseSARIF(t *testing.T, text string) (rows []Row) {
	report, err := sarif.FromBytes([]byte(text))
	check(t, err)
	check(t, report.Validate())
	run := report.Runs[0]
	words := map[string]string{"error": "ERROR", "warning": "WARNING", "note": "NOTICE", "none": "NONE"}
	for _, r := range run.Results {
		at := r.Locations[0].PhysicalLocation
		rows = append(rows, Row{
			pathOf(t, *at.ArtifactLocation.URI), *run.Tool.Driver.Rules[r.RuleIndex].ID, Violation,
			*at.Region.StartLine, *at.Region.StartColumn, words[r.Level], literal(*r.Message.Text),
		})
	}
	for _, n := range run.Invocations[0].ToolExecutionNotifications {
		one := Row{Path: pathOf(t, *n.Locations[0].PhysicalLocation.ArtifactLocation.URI)}
		if n.AssociatedRule != nil {
			one.Rule = *n.AssociatedRule.ID
		}
		one.Kind, one.Text, _ = strings.Cut(literal(*n.Message.Text), ": ")
		rows = append(rows, one)
	}
	return rows
}

func pathOf(t *testing.T, uri string) string {
	u, err := url.Parse(uri)
	check(t, err)
	return u.Path
}

// literal undoes what keeps a text from being a link.
func literal(text string) string {
	if !strings.Contains(text, `\](`) {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\[`, "[", `\]`, "]").Replace(text)
}
