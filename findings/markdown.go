package findings

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A markdown form writes a table of the findings, in GitHub's dialect, then the
// summary.
type markdown struct{ w *bufio.Writer }

func newMarkdown(w io.Writer) Form { return &markdown{bufio.NewWriter(w)} }

func (m *markdown) Flush() error { return m.w.Flush() }

func (m *markdown) Begin(h *Head) error {
	fmt.Fprintf(m.w, "# Findings in %s\n\n", span(h.Corpus))
	m.row("path", "place", "severity", "category", "rule", "kind", "text")
	return m.row("---", "---", "---", "---", "---", "---", "---")
}

func (m *markdown) File(f *executor.FileResult) error {
	for one := range list(f) {
		var place, severity, category, rule string
		if v := one.found; v != nil {
			place = fmt.Sprintf("%d:%d-%d:%d", v.Start.Line, v.Start.Col, v.End.Line, v.End.Col)
		}
		if one.rule != nil {
			severity, category, rule = string(one.rule.Severity), one.rule.Category, span(one.rule.Name)
		}
		if err := m.row(span(one.path), place, severity, category, rule, one.kind, span(one.text)); err != nil {
			return err
		}
	}
	return nil
}

func (m *markdown) End(h *Head, t *Totals) error {
	fmt.Fprintf(m.w, "\n## Summary\n\n")
	m.row("figure", "value")
	m.row("---", "--:")
	for _, line := range []struct {
		name  string
		value any
	}{
		{"executor", h.Executor},
		{"files", t.Files},
		{"pairs", t.Pairs},
		{"executions", t.Executions},
		{"violations", t.Violations},
		{"suppressed", t.Suppressed},
		{"timeouts", t.Timeouts},
		{"errors", t.Errors},
		{"unparsed files", t.Unparsed},
		{"unread files", h.Unread},
		{"time", t.Elapsed.Round(time.Millisecond)},
	} {
		m.row(line.name, fmt.Sprint(line.value))
	}
	fmt.Fprintf(m.w, "\n## Slowest rules\n\n")
	m.row("rule", "language", "executions", "time", "longest", "timeouts", "errors")
	err := m.row("---", "---", "--:", "--:", "--:", "--:", "--:")
	for _, r := range ranked(h, t) {
		err = m.row(span(r.rule.Name), string(r.rule.Language), fmt.Sprint(r.Executions), round(r.Time).String(),
			round(r.Slowest).String(), fmt.Sprint(r.Timeouts), fmt.Sprint(r.Errors))
	}
	return err
}

// row writes one row; the buffer keeps its first error.
func (m *markdown) row(cells ...string) error {
	_, err := m.w.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	return err
}

var ticks = regexp.MustCompile("`+")

// span is text as a code span, in which Markdown knows no markup: no links,
// mentions, pictures, HTML. The fence is longer than any run of ticks in it, and
// the bar, which would end the cell, has a backslash, which the table takes off.
func span(text string) string {
	text = Plain(text)
	if text == "" {
		return ""
	}
	fence := "`"
	for _, run := range ticks.FindAllString(text, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	// One space at each end goes away again when both are there, unless all of
	// it is spaces.
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") ||
		strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.Trim(text, " ") != "" {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}
