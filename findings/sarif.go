package findings

import (
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
)

// A sarifForm writes SARIF 2.1.0. What went wrong is not a result but a
// notification of the tool's.
//
// The library holds the whole report: some 4 kB a finding.
type sarifForm struct {
	w      io.Writer
	run    *sarif.Run
	index  map[*executor.Rule]int
	failed []*sarif.Notification
	whole  bool
}

func newSARIF(w io.Writer) Form { return &sarifForm{w: w, index: map[*executor.Rule]int{}} }

const (
	toolName = "ddsabench"
	toolURI  = "https://github.com/ddsabench/ddsabench"
	// root is the folder that paths are relative to.
	root = "SRCROOT"
)

func (s *sarifForm) Begin(h *Head) error {
	s.run = sarif.NewRunWithInformationURI(toolName, toolURI)
	// Rules count lines by "\n" and columns in UTF-16 units.
	s.run.WithColumnKind("utf16CodeUnits").WithNewlineSequences([]string{"\n"})
	s.run.Tool.Driver.WithVersion(h.Version)
	for i, r := range h.Rules {
		s.index[&r.Rule] = i
		s.run.Tool.Driver.AddRule(descriptor(r))
	}
	return nil
}

func descriptor(r *rules.Rule) *sarif.ReportingDescriptor {
	kind, level := severity(r.Severity)
	d := sarif.NewRule(r.Name)
	if kind == "fail" {
		d.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level))
	}
	if r.ShortDescription != "" {
		d.WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.ShortDescription))
	}
	if r.Description != "" {
		d.WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.Description))
	}
	if u, err := url.Parse(r.DocumentationURL); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		d.WithHelpURI(u.String())
	}
	properties := sarif.NewPropertyBag().Add("category", r.Category).Add("language", string(r.Language))
	if r.CWE != "" {
		properties.Add("cwe", r.CWE)
	}
	return d.WithProperties(properties)
}

// severity is SARIF's kind and level for a severity. A level belongs to the
// kind fail only.
func severity(s executor.Severity) (kind, level string) {
	switch s {
	case executor.SeverityError:
		return "fail", "error"
	case executor.SeverityWarning:
		return "fail", "warning"
	case executor.SeverityNotice:
		return "fail", "note"
	}
	return "informational", "none"
}

func (s *sarifForm) File(f *executor.FileResult) error {
	file := location(f.Path)
	for one := range list(f) {
		if one.found == nil {
			s.failed = append(s.failed, s.notification(one, file))
			continue
		}
		kind, level := severity(one.rule.Severity)
		result := sarif.NewRuleResult(one.rule.Name).WithRuleIndex(s.index[one.rule]).WithKind(kind).WithLevel(level).
			WithMessage(sarif.NewTextMessage(message(one.text))).
			AddLocation(sarif.NewLocationWithPhysicalLocation(
				sarif.NewPhysicalLocation().WithArtifactLocation(file).WithRegion(region(one.found.Start, one.found.End))))
		for _, fix := range one.found.Fixes {
			if len(fix.Edits) > 0 { // the schema wants one
				result.AddFixe(sarifFix(fix, file))
			}
		}
		s.run.AddResult(result)
	}
	return nil
}

func (s *sarifForm) notification(one finding, file *sarif.ArtifactLocation) *sarif.Notification {
	text := one.kind
	if one.text != "" {
		text += ": " + one.text
	}
	n := sarif.NewNotification().WithLevel("error").WithMessage(sarif.NewTextMessage(message(text))).
		AddLocation(sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().WithArtifactLocation(file)))
	if one.rule != nil {
		n.WithAssociatedRule(sarif.NewReportingDescriptorReference().WithID(one.rule.Name).WithIndex(s.index[one.rule]))
	}
	return n
}

func (s *sarifForm) End(*Head, *Totals) error {
	invocation := sarif.NewInvocation().WithExecutionSuccessful(true)
	if s.failed != nil {
		invocation.WithToolExecutionNotifications(s.failed)
	}
	s.run.AddInvocation(invocation)
	s.whole = true
	return nil
}

// Flush writes the report if it is whole: part of it would be no SARIF.
func (s *sarifForm) Flush() error {
	if !s.whole {
		return nil
	}
	s.whole = false
	report := sarif.NewReport()
	report.AddRun(s.run)
	return report.Write(s.w)
}

func location(name string) *sarif.ArtifactLocation {
	l := sarif.NewArtifactLocation()
	if path.IsAbs(name) {
		return l.WithURI((&url.URL{Scheme: "file", Path: name}).String())
	}
	return l.WithURI((&url.URL{Path: name}).String()).WithURIBaseID(root)
}

// region is a part of a file. SARIF counts from 1, and so do rules, unless one
// of them gets it wrong.
func region(start, end executor.Position) *sarif.Region {
	return sarif.NewRegion().WithStartLine(max(start.Line, 1)).WithStartColumn(max(start.Col, 1)).
		WithEndLine(max(end.Line, 1)).WithEndColumn(max(end.Col, 1))
}

// message is text in which a viewer sees no link of a rule's making.
func message(text string) string {
	if !strings.Contains(text, "](") {
		return text
	}
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(text)
}
