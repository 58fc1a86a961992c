package findings

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ddsabench/ddsabench/executor"
)

// A jsonForm writes one object: the results that have something to say, a line
// each, then the rules, the summary and the times. Two runs over the same files
// with the same rules and executor write the same bytes, times apart.
type jsonForm struct {
	w     *bufio.Writer
	comma string
}

func newJSON(w io.Writer) Form { return &jsonForm{w: bufio.NewWriter(w)} }

// A Result is one rule on one file, or a file that was not analyzed, as an
// element of "results".
type Result struct {
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

// A RuleCount is what became of one rule, as an element of "rules".
type RuleCount struct {
	Rule       string            `json:"rule"`
	Language   executor.Language `json:"language"`
	Pairs      int               `json:"pairs"`
	Executions int               `json:"executions"`
	Visits     int               `json:"visits"`
	Violations int               `json:"violations"`
	Timeouts   int               `json:"timeouts"`
	Errors     int               `json:"errors"`
}

// A Summary is the value of "summary". Part and Whole are there if a part of
// a corpus was analyzed.
type Summary struct {
	Executor    string `json:"executor"`
	Source      string `json:"source"`
	Reason      string `json:"reason"`
	Corpus      string `json:"corpus"`
	Digest      string `json:"corpus_sha256"`
	Part        string `json:"part,omitempty"`
	Whole       string `json:"whole_sha256,omitempty"`
	RulesDigest string `json:"rules_sha256"`
	Files       int    `json:"files"`
	Pairs       int    `json:"pairs"`
	Executions  int    `json:"executions"`
	Visits      int    `json:"visits"`
	Violations  int    `json:"violations"`
	Suppressed  int    `json:"suppressed"`
	Timeouts    int    `json:"timeouts"`
	Errors      int    `json:"errors"`
	Unparsed    int    `json:"unparsed_files"`
	Unread      int    `json:"unread_files"`
}

// Times are the value of "times", the only one that differs from run to run.
type Times struct {
	Seconds float64    `json:"seconds"`
	Rules   []RuleTime `json:"rules"`
}

// A RuleTime is the time in one rule's executions.
type RuleTime struct {
	Rule        string            `json:"rule"`
	Language    executor.Language `json:"language"`
	Seconds     float64           `json:"seconds"`
	Slowest     float64           `json:"slowest_seconds"`
	SlowestPath string            `json:"slowest_path,omitempty"`
}

func (j *jsonForm) Flush() error { return j.w.Flush() }

func (j *jsonForm) Begin(*Head) error {
	_, err := j.w.WriteString(`{"results":[`)
	return err
}

func (j *jsonForm) File(f *executor.FileResult) error {
	if f.Err != nil {
		return j.result(Result{Path: f.Path, Language: f.Language, Outcome: notAnalyzed, Error: f.Err.Error()})
	}
	for _, p := range f.Results {
		if p.Err == nil && len(p.Result.Violations) == 0 && p.Result.Output == "" {
			continue
		}
		r := Result{
			Path: f.Path, Language: f.Language, Rule: p.Rule.Name, Severity: p.Rule.Severity, Category: p.Rule.Category,
			Outcome: executor.OK.String(), Violations: p.Result.Violations, Output: p.Result.Output,
		}
		if p.Err != nil {
			r.Outcome, r.Error = outcome(p.Err).String(), problem(p.Err)
		}
		if err := j.result(r); err != nil {
			return err
		}
	}
	return nil
}

func (j *jsonForm) result(r Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s\n%s", j.comma, text)
	j.comma = ","
	return err
}

func (j *jsonForm) End(h *Head, t *Totals) error {
	counts, times := []RuleCount{}, Times{t.Elapsed.Seconds(), []RuleTime{}}
	for _, r := range h.Rules {
		y := t.Rule(&r.Rule)
		counts = append(counts, RuleCount{
			r.Name, r.Language, y.Pairs, y.Executions, y.Visits, y.Violations, y.Timeouts, y.Errors,
		})
		times.Rules = append(times.Rules, RuleTime{r.Name, r.Language, y.Time.Seconds(), y.Slowest.Seconds(), y.SlowestPath})
	}
	end := tail{counts, Summary{
		Executor: h.Executor, Source: h.Source, Reason: h.Reason,
		Corpus: h.Corpus, Digest: h.Digest, Part: h.Part, Whole: h.Whole, RulesDigest: h.RulesDigest,
		Files: t.Files, Pairs: t.Pairs, Executions: t.Executions, Visits: t.Visits,
		Violations: t.Violations, Suppressed: t.Suppressed, Timeouts: t.Timeouts, Errors: t.Errors,
		Unparsed: t.Unparsed, Unread: h.Unread,
	}, times}
	return end.write(j.w)
}
