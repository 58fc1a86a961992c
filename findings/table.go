package findings

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A table prints a line for each finding, then a summary and the rules that
// took the most time or failed. It is for people and terminals.
type table struct{ w *bufio.Writer }

func newTable(w io.Writer) Form { return &table{bufio.NewWriter(w)} }

func (t *table) Flush() error { return t.w.Flush() }

func (t *table) Begin(h *Head) error {
	for _, l := range languages {
		files, rules := h.Files[l.Language], h.count(l.Language)
		if files > 0 && rules > 0 {
			fmt.Fprintf(t.w, "Analyzing %s using %s\n", plural(files, l.name+" file"), plural(rules, "rule"))
		}
	}
	fmt.Fprintln(t.w)
	return t.w.Flush()
}

func (t *table) File(f *executor.FileResult) error {
	path := Plain(f.Path)
	if f.Err != nil {
		fmt.Fprintf(t.w, "%s: not analyzed: %s\n", path, Plain(f.Err.Error()))
	}
	for _, p := range f.Results {
		rule := Plain(p.Rule.Name)
		for _, v := range p.Result.Violations {
			fmt.Fprintf(t.w, "%s:%d:%d: %s %s: %s\n", path, v.Start.Line, v.Start.Col, p.Rule.Severity, rule, Plain(v.Message))
		}
		for line := range strings.Lines(p.Result.Output) {
			fmt.Fprintf(t.w, "%s: %s printed: %s\n", path, rule, Plain(strings.TrimSuffix(line, "\n")))
		}
		if p.Err != nil {
			t.failure(p.Err)
		}
	}
	// The buffer keeps its first error and gives it again.
	_, err := t.w.Write(nil)
	return err
}

// failure prints an error with the lines of its JavaScript stack.
func (t *table) failure(err error) {
	indent := ""
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(t.w, indent+Plain(strings.TrimSuffix(line, "\n")))
		indent = "  "
	}
}

func (t *table) End(h *Head, sums *Totals) error {
	fmt.Fprintln(t.w)
	t.slowest(h, sums)
	corpus := Plain(h.Corpus)
	if h.Part != "" {
		corpus += ", part " + h.Part
	}
	for _, line := range [][2]string{
		{"executor", h.Decision},
		{"corpus", corpus},
		{"", "sha256 " + h.Digest},
		{"pairs", fmt.Sprint(sums.Pairs)},
		{"executions", fmt.Sprint(sums.Executions)},
		{"violations", fmt.Sprint(sums.Violations)},
		{"suppressed", fmt.Sprint(sums.Suppressed)},
		{"timeouts", fmt.Sprint(sums.Timeouts)},
		{"errors", fmt.Sprint(sums.Errors)},
		{"unparsed files", fmt.Sprint(sums.Unparsed)},
		{"unread files", fmt.Sprint(h.Unread)},
		{"time", sums.Elapsed.Round(time.Millisecond).String()},
	} {
		fmt.Fprintf(t.w, "%-16s%s\n", line[0], line[1])
	}
	_, err := t.w.Write(nil)
	return err
}

// slowest prints the rules that took the most time, and all that failed.
func (t *table) slowest(h *Head, sums *Totals) {
	shown := ranked(h, sums)
	if len(shown) == 0 {
		return
	}
	w := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SLOWEST RULES\tRUNS\tTIME\tLONGEST\tTIMEOUTS\tERRORS")
	for _, r := range shown {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\n", Plain(r.rule.Name), r.Executions,
			round(r.Time), round(r.Slowest), r.Timeouts, r.Errors)
	}
	_ = w.Flush() // t.w keeps the error
	fmt.Fprintln(t.w)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
