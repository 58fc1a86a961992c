package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A textReport prints a line for each violation and each failure, then a
// summary.
type textReport struct{ w *bufio.Writer }

func newTextReport(w io.Writer) *textReport { return &textReport{bufio.NewWriter(w)} }

func (r *textReport) flush() error { return r.w.Flush() }

func (r *textReport) begin(a *analysis) error {
	for _, l := range languages {
		files, rules := a.files.Count(l.Language), len(a.rules.byLanguage[l.Language])
		if files > 0 && rules > 0 {
			fmt.Fprintf(r.w, "Analyzing %s using %s\n", plural(files, l.name+" file"), plural(rules, "rule"))
		}
	}
	fmt.Fprintln(r.w)
	return r.w.Flush()
}

func (r *textReport) file(f *executor.FileResult) error {
	path := plain(f.Path)
	if f.Err != nil {
		fmt.Fprintf(r.w, "%s: not analyzed: %s\n", path, plain(f.Err.Error()))
	}
	for _, p := range f.Results {
		rule := plain(p.Rule.Name)
		for _, v := range p.Result.Violations {
			fmt.Fprintf(r.w, "%s:%d:%d: %s %s: %s\n", path, v.Start.Line, v.Start.Col, p.Rule.Severity, rule, plain(v.Message))
		}
		for line := range strings.Lines(p.Result.Output) {
			fmt.Fprintf(r.w, "%s: %s printed: %s\n", path, rule, plain(strings.TrimSuffix(line, "\n")))
		}
		if p.Err != nil {
			r.failure(p.Err)
		}
	}
	// The buffer keeps its first error and gives it again.
	_, err := r.w.Write(nil)
	return err
}

// failure prints an error with the lines of its JavaScript stack.
func (r *textReport) failure(err error) {
	indent := ""
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(r.w, indent+plain(strings.TrimSuffix(line, "\n")))
		indent = "  "
	}
}

func (r *textReport) end(a *analysis) error {
	t := &a.totals
	fmt.Fprintln(r.w)
	for _, line := range [][2]string{
		{"executor", a.decision.String()},
		{"corpus", plain(a.files.Name())},
		{"", "sha256 " + a.files.Digest()},
		{"pairs", fmt.Sprint(t.pairs)},
		{"executions", fmt.Sprint(t.stats.Executions)},
		{"violations", fmt.Sprint(t.all())},
		{"suppressed", fmt.Sprint(t.suppressed)},
		{"timeouts", fmt.Sprint(t.timeouts)},
		{"errors", fmt.Sprint(t.errors)},
		{"unparsed files", fmt.Sprint(t.unparsed)},
		{"unread files", fmt.Sprint(len(a.files.Problems()))},
		{"time", t.elapsed.Round(time.Millisecond).String()},
	} {
		fmt.Fprintf(r.w, "%-16s%s\n", line[0], line[1])
	}
	return nil
}
