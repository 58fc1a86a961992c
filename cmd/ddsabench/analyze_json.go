package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ddsabench/ddsabench/executor"
)

// A jsonReport prints one object: the results that have something to say, a
// line each, in the order of the files, then the summary. It holds no more than
// one of them.
type jsonReport struct {
	w     *bufio.Writer
	comma string
}

func newJSONReport(w io.Writer) *jsonReport { return &jsonReport{w: bufio.NewWriter(w)} }

// A jsonResult is one rule on one file, or a file that was not analyzed.
type jsonResult struct {
	Path       string               `json:"path"`
	Language   executor.Language    `json:"language"`
	Rule       string               `json:"rule,omitempty"`
	Severity   executor.Severity    `json:"severity,omitempty"`
	Category   string               `json:"category,omitempty"`
	Outcome    string               `json:"outcome"`
	Error      string               `json:"error,omitempty"`
	Violations []executor.Violation `json:"violations,omitempty"`
	Output     string               `json:"output,omitempty"`
}

type jsonSummary struct {
	Executor   string  `json:"executor"`
	Source     string  `json:"source"`
	Reason     string  `json:"reason"`
	Corpus     string  `json:"corpus"`
	Digest     string  `json:"corpus_sha256"`
	Pairs      int     `json:"pairs"`
	Executions uint64  `json:"executions"`
	Violations int     `json:"violations"`
	Suppressed int     `json:"suppressed"`
	Timeouts   int     `json:"timeouts"`
	Errors     int     `json:"errors"`
	Unparsed   int     `json:"unparsed_files"`
	Unread     int     `json:"unread_files"`
	Seconds    float64 `json:"seconds"`
}

func (r *jsonReport) flush() error { return r.w.Flush() }

func (r *jsonReport) begin(*analysis) error {
	_, err := r.w.WriteString(`{"results":[`)
	return err
}

func (r *jsonReport) file(f *executor.FileResult) error {
	if f.Err != nil {
		return r.result(jsonResult{Path: f.Path, Language: f.Language, Outcome: "not analyzed", Error: f.Err.Error()})
	}
	for _, p := range f.Results {
		if p.Err == nil && len(p.Result.Violations) == 0 && p.Result.Output == "" {
			continue
		}
		j := jsonResult{
			Path: f.Path, Language: f.Language, Rule: p.Rule.Name, Severity: p.Rule.Severity, Category: p.Rule.Category,
			Outcome: executor.OK.String(), Violations: p.Result.Violations, Output: p.Result.Output,
		}
		if p.Err != nil {
			j.Outcome, j.Error = executor.Internal.String(), p.Err.Error()
			var e *executor.Error
			if errors.As(p.Err, &e) {
				j.Outcome = e.Outcome.String()
			}
		}
		if err := r.result(j); err != nil {
			return err
		}
	}
	return nil
}

func (r *jsonReport) result(j jsonResult) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.w, "%s\n%s", r.comma, text)
	r.comma = ","
	return err
}

func (r *jsonReport) end(a *analysis) error {
	t := &a.totals
	text, err := json.Marshal(jsonSummary{
		Executor: string(a.decision.Value), Source: string(a.decision.Source), Reason: string(a.decision.Reason),
		Corpus: a.files.Name(), Digest: a.files.Digest(), Pairs: t.pairs, Executions: t.stats.Executions,
		Violations: t.all(), Suppressed: t.suppressed, Timeouts: t.timeouts, Errors: t.errors, Unparsed: t.unparsed,
		Unread: len(a.files.Problems()), Seconds: t.elapsed.Seconds(),
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.w, "\n],\n\"summary\":%s}\n", text)
	return err
}
