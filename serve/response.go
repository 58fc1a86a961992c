package serve

import (
	"errors"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/suppress"
)

// A response is the answer of POST /analyze. What is missing is null and lists
// are never null, as in the original.
type response struct {
	RuleResponses []ruleResponse `json:"rule_responses"`
	Errors        []string       `json:"errors"`
	// bytes is about what it takes, results included, until it is written.
	bytes int
}

type ruleResponse struct {
	Identifier     string      `json:"identifier"`
	Violations     []violation `json:"violations"`
	Errors         []string    `json:"errors"`
	ExecutionError *string     `json:"execution_error"`
	Output         *string     `json:"output"`
	Milliseconds   int64       `json:"execution_time_ms"`
}

type violation struct {
	Start    executor.Position `json:"start"`
	End      executor.Position `json:"end"`
	Message  string            `json:"message"`
	Severity executor.Severity `json:"severity"`
	Category string            `json:"category"`
	Fixes    []fix             `json:"fixes"`
}

type fix struct {
	Description string `json:"description"`
	Edits       []edit `json:"edits"`
}

type edit struct {
	Start   executor.Position  `json:"start"`
	End     *executor.Position `json:"end"`
	Kind    string             `json:"edit_type"`
	Content *string            `json:"content"`
}

// What a rule's errors can be.
const (
	ruleTimeout    = "rule-timeout"
	errorExecution = "error-execution"
)

// refused is the answer without results.
func refused(words ...string) *response {
	return &response{RuleResponses: []ruleResponse{}, Errors: words}
}

// answer makes the response from what became of a task's rules. With failed,
// the file could not be analyzed, and every rule says so.
func (t *task) answer(results []executor.PairResult, failed error) *response {
	comments := suppress.Parse(t.text, t.language)
	a := refused()
	a.Errors = []string{}
	why := "" // one text for all rules
	if failed != nil {
		why = words(failed, t.path)
	}
	for i, name := range t.names {
		r := ruleResponse{Identifier: name, Violations: []violation{}, Errors: []string{}}
		switch place := t.place[i]; {
		case place < 0:
			r.fail(errorExecution, "rules of this type do not run here; TREE_SITTER_QUERY does")
		case failed != nil:
			r.fail(errorExecution, why)
		default:
			r.fill(&results[place], comments, t)
			a.bytes += size(&results[place])
		}
		a.bytes += each + length(name)
		if r.ExecutionError != nil {
			a.bytes += length(*r.ExecutionError)
		}
		a.RuleResponses = append(a.RuleResponses, r)
	}
	return a
}

func (r *ruleResponse) fail(word, detail string) {
	r.Errors = append(r.Errors, word)
	if detail != "" {
		r.ExecutionError = &detail
	}
}

func (r *ruleResponse) fill(p *executor.PairResult, comments suppress.Comments, t *task) {
	var e *executor.Error
	switch {
	case errors.Is(p.Err, executor.ErrTimeout):
		r.fail(ruleTimeout, "")
		return
	case errors.As(p.Err, &e) && e.Outcome == executor.Memory:
		r.fail(errorExecution, "JavaScript exceeded memory constraint")
		return
	case e != nil && e.Outcome == executor.Script && e.Detail != "":
		r.fail(errorExecution, cut(e.Detail, maxWords))
		return
	case p.Err != nil:
		r.fail(errorExecution, words(p.Err, t.path, p.Rule.Name))
		return
	}
	r.Milliseconds = p.Result.Elapsed.Milliseconds()
	if t.logOutput && p.Result.Output != "" {
		r.Output = &p.Result.Output
	}
	for _, v := range p.Result.Violations {
		if comments.Suppressed(p.Rule.Name, v.Start.Line) {
			continue
		}
		shown := violation{
			Start: v.Start, End: v.End, Message: v.Message,
			Severity: p.Rule.Severity, Category: p.Rule.Category, Fixes: []fix{},
		}
		for _, f := range v.Fixes {
			edits := make([]edit, len(f.Edits))
			for i, e := range f.Edits {
				edits[i] = edit{e.Start, e.End, e.Kind, e.Content}
			}
			shown.Fixes = append(shown.Fixes, fix{f.Description, edits})
		}
		r.Violations = append(r.Violations, shown)
	}
}
