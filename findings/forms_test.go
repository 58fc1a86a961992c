package findings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/findings/findingstest"
	"github.com/ddsabench/ddsabench/rules"
)

// hostile are texts that mean something to some reader of some form.
var hostile = []string{
	"Use ===.", "", "=1+1", "+1", "-1", "@SUM(A1)", "'quoted", "''", "a,b;c", `say "no"`, "\tx", "a\tb", "line\nend",
	"=cmd|' /C calc'!A0", "a|b", `a\|b`, `a\`, "`x`", "``", "` `", " x ", "  ", "***", "<script>alert(1)</script>",
	"<!--", "[click](http://x)", `\[click](x)`, `a\](b`, "![](http://x)", "https://x.example", "@user", "&lt;", "{0}", "%s",
	"\x1b[31mred", "\u202egnp", "é😀", "~~~", "| a | b |\n|---|---|", "`" + strings.Repeat("|", 5) + "``",
}

func fixture() (*Head, []*executor.FileResult) {
	rule := func(name string, s executor.Severity) *rules.Rule {
		return &rules.Rule{Rule: executor.Rule{
			Name: name, Language: executor.JavaScript, Severity: s, Category: "SECURITY",
		}, ShortDescription: "short", Description: "[long](x)", DocumentationURL: "https://x.example/a b", CWE: "79"}
	}
	h := &Head{
		Version: "v1", Executor: "ddsa", Source: "default", Reason: "DEFAULT", Decision: "ddsa (default)",
		Corpus: "src|`x`", Digest: "d", RulesDigest: "r",
		Files: map[executor.Language]int{executor.JavaScript: 2},
		Rules: []*rules.Rule{
			rule("s/error", executor.SeverityError), rule("s/warning", executor.SeverityWarning),
			rule("s/notice", executor.SeverityNotice), rule("s/none", executor.SeverityNone),
		},
	}
	texts := &executor.FileResult{Path: "dir/a b#?%.js", Language: executor.JavaScript}
	for i, text := range hostile {
		content := text
		texts.Results = append(texts.Results, executor.PairResult{
			Rule: &h.Rules[i%4].Rule,
			Result: executor.Result{
				Entered: true, Visits: 2, Elapsed: time.Duration(i) * time.Millisecond, Output: "printed",
				Violations: []executor.Violation{{
					Start: executor.Position{Line: i + 1, Col: 2}, End: executor.Position{Line: i + 1, Col: 9}, Message: text,
					Fixes: []executor.Fix{{Description: text, Edits: []executor.Edit{
						{Kind: "ADD", Start: executor.Position{Line: 1, Col: 2}, Content: &content},
						{Kind: "REMOVE", Start: executor.Position{Line: 1, Col: 2}, End: &executor.Position{Line: 3, Col: 4}},
						{Kind: "UPDATE", Start: executor.Position{Line: 1, Col: 2}, End: &executor.Position{Line: 1, Col: 4}, Content: &content},
					}}, {Description: "nothing"}},
				}},
			},
		})
	}
	failures := &executor.FileResult{Path: "=b.js", Language: executor.JavaScript}
	for i, err := range []error{
		&executor.Error{Outcome: executor.Timeout, Limit: time.Second, Elapsed: 1234 * time.Millisecond, Err: context.DeadlineExceeded},
		&executor.Error{Outcome: executor.Script, Detail: "Uncaught =Error: [a](b)\n    at visit (rule:1:1)"},
		&executor.Error{Outcome: executor.Memory, HeapLimit: 512 << 20},
		errors.New("other"),
	} {
		var e *executor.Error
		if errors.As(err, &e) {
			e.Rule, e.File = h.Rules[i].Name, "=b.js"
		} else {
			err = &executor.Error{Outcome: executor.Internal, Rule: h.Rules[i].Name, File: "=b.js", Err: err}
		}
		failures.Results = append(failures.Results, executor.PairResult{Rule: &h.Rules[i].Rule, Err: err})
	}
	unread := &executor.FileResult{Path: "c.js", Language: executor.JavaScript, Err: errors.New("parsing timed out: 5s")}
	return h, []*executor.FileResult{texts, failures, unread, {Path: "d.js", Language: executor.JavaScript}}
}

func render(t testing.TB, form string, h *Head, files []*executor.FileResult) (string, *Totals) {
	t.Helper()
	var out strings.Builder
	f, err := New(form, &out)
	if err != nil {
		t.Fatal(err)
	}
	totals := &Totals{Elapsed: time.Second}
	if err := f.Begin(h); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		totals.Add(file)
		if err := f.File(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.End(h, totals), f.Flush()); err != nil {
		t.Fatal(err)
	}
	return out.String(), totals
}

// plainly is text as all forms can give it back: the table and Markdown quote
// what could confuse, and the table words errors in its own way.
func plainly(rows []findingstest.Row) []findingstest.Row {
	for i, r := range rows {
		r.Text, r.Path = Plain(r.Text), Plain(r.Path)
		if r.Kind != violation {
			r.Severity, r.Text = "", ""
		}
		rows[i] = r
	}
	return rows
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// All forms hold the same findings, whatever the texts are, and give them back
// unharmed.
func TestSameFindings(t *testing.T) {
	h, files := fixture()
	var want []findingstest.Row
	for _, file := range files {
		for one := range list(file) {
			r := findingstest.Row{Path: one.path, Kind: one.kind, Text: one.text}
			if one.rule != nil {
				r.Rule, r.Severity = one.rule.Name, string(one.rule.Severity)
			}
			if one.found != nil {
				r.Line, r.Column = one.found.Start.Line, one.found.Start.Col
			}
			want = append(want, r)
		}
	}
	if len(want) != len(hostile)+5 {
		t.Fatalf("%d findings", len(want))
	}
	want = plainly(want)
	for _, form := range Names() {
		text, _ := render(t, form, h, files)
		got := plainly(findingstest.Parse(t, form, text))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", form, diff)
		}
	}
}

// No cell starts with what a spreadsheet takes for a formula.
func TestCSVHasNoFormulas(t *testing.T) {
	h, files := fixture()
	text, _ := render(t, "csv", h, files)
	for _, line := range []string{"'=1+1", "'@SUM(A1)", "'=b.js", "''quoted", "'''"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	for _, start := range []string{",=", ",+", ",-", ",@", "\n=", `"=`, `,"+`} {
		if strings.Contains(text, start) {
			t.Errorf("%q in\n%s", start, text)
		}
	}
}

// Fixes are replacements with the regions that the edits name, and a violation
// outside the file does not spoil the report.
func TestSARIF(t *testing.T) {
	h, files := fixture()
	files[0].Results[0].Result.Violations[0].Start = executor.Position{Line: 0, Col: -1}
	text, _ := render(t, "sarif", h, files)
	report, err := sarif.FromBytes([]byte(text))
	check(t, err)
	check(t, report.Validate())
	run := report.Runs[0]
	if *run.ColumnKind != "utf16CodeUnits" || len(run.Tool.Driver.Rules) != 4 {
		t.Errorf("%s, %d rules", *run.ColumnKind, len(run.Tool.Driver.Rules))
	}
	result := run.Results[3]
	if result.Kind != "informational" || result.Level != "none" || len(result.Fixes) != 1 {
		t.Errorf("%s, %s, %d fixes", result.Kind, result.Level, len(result.Fixes))
	}
	var got []string
	for _, r := range result.Fixes[0].ArtifactChanges[0].Replacements {
		d, inserted := r.DeletedRegion, "nothing"
		if r.InsertedContent != nil {
			inserted = *r.InsertedContent.Text
		}
		got = append(got, fmt.Sprintf("%d:%d-%d:%d %s", *d.StartLine, *d.StartColumn, *d.EndLine, *d.EndColumn, inserted))
	}
	if want := []string{"1:2-1:2 +1", "1:2-3:4 nothing", "1:2-1:4 +1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := New("xml", nil); err == nil {
		t.Error("no error for an unknown form")
	}
}

// Two runs that take different times write the same JSON but for "times".
func TestJSONIsDeterministic(t *testing.T) {
	forms := [2]map[string]json.RawMessage{}
	for i := range forms {
		h, files := fixture()
		for _, f := range files {
			for j := range f.Results {
				f.Results[j].Result.Elapsed *= time.Duration(2 * i)
				var e *executor.Error
				if errors.As(f.Results[j].Err, &e) {
					e.Elapsed += time.Duration(i) * time.Second
				}
			}
		}
		text, _ := render(t, "json", h, files)
		check(t, json.Unmarshal([]byte(text), &forms[i]))
	}
	if string(forms[0]["times"]) == string(forms[1]["times"]) {
		t.Error("the times are equal")
	}
	for _, key := range []string{"results", "rules", "summary"} {
		if diff := gocmp.Diff(string(forms[0][key]), string(forms[1][key])); diff != "" || forms[0][key] == nil {
			t.Errorf("%s: %s", key, diff)
		}
	}
}

func TestTotals(t *testing.T) {
	h, files := fixture()
	_, sums := render(t, "json", h, files)
	if sums.Files != 4 || sums.Unparsed != 1 || sums.Pairs != len(hostile)+4 || sums.Executions != len(hostile) ||
		sums.Violations != len(hostile) || sums.Timeouts != 1 || sums.Errors != 3 || sums.Visits != 2*len(hostile) {
		t.Errorf("%+v", sums)
	}
	slowest := ranked(h, sums)
	if !slices.IsSortedFunc(slowest, func(a, b rank) int { return cmp.Compare(b.Time, a.Time) }) || len(slowest) != 4 {
		t.Errorf("%+v", slowest)
	}
	if y := sums.Rule(&h.Rules[0].Rule); y.Timeouts != 1 || y.SlowestPath == "" || y.Slowest < time.Second {
		t.Errorf("%+v", y)
	}
	for severity, want := range map[string]int{"never": 0, "error": len(hostile) / 4, "WARNING": len(hostile) / 2, "notice": 3 * len(hostile) / 4, "none": len(hostile)} {
		if got := sums.AtLeast(severity); got != want {
			t.Errorf("at least %s: %d, want %d", severity, got, want)
		}
	}
}
