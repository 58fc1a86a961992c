package rules

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// What rule files can say, of which only the first two languages and the first
// type can run here.
var (
	languages = []string{
		string(executor.JavaScript), string(executor.TypeScript),
		"CSHARP", "DART", "DOCKERFILE", "ELIXIR", "GO", "JAVA", "JSON", "KOTLIN", "PYTHON", "RUBY", "RUST", "SWIFT",
		"TERRAFORM", "YAML", "STARLARK", "BASH", "PHP", "MARKDOWN", "APEX", "R", "SQL",
	}
	ruleTypes  = []string{"TREE_SITTER_QUERY", "AST_CHECK", "REGEX"}
	severities = []string{"ERROR", "WARNING", "NOTICE", "NONE"}
	categories = []string{"BEST_PRACTICES", "CODE_STYLE", "ERROR_PRONE", "PERFORMANCE", "SECURITY"}
)

// maxCode is the largest code of a rule, in bytes.
const maxCode = 1 << 20

// skip returns why the rule cannot run here, or "".
func (d *decoder) skip(v *value) string {
	language := d.oneOf(v, "language", languages)
	ruleType := d.oneOf(v, "rule_type", ruleTypes)
	switch {
	case slices.Index(languages, language) > 1:
		return fmt.Sprintf("language %s is not parsed here", language)
	case slices.Index(ruleTypes, ruleType) > 0:
		return fmt.Sprintf("rule type %s does not run here", ruleType)
	}
	return ""
}

// body reads the rest of a rule and reports all that is wrong with it.
func (d *decoder) body(v *value) *Rule {
	r := &Rule{
		Rule: executor.Rule{
			Name:     d.name,
			Severity: executor.Severity(d.oneOf(v, "severity", severities)),
			Category: d.text(v, "category", filled),
			Query:    d.longText(v, "tree_sitter_query", filled),
			Code:     d.longText(v, "code", filled),
		},
		File:             d.file,
		Line:             v.line,
		ShortDescription: d.longText(v, "short_description", optional),
		Description:      d.longText(v, "description", optional),
		CWE:              d.scalar(v, "cwe"),
		DocumentationURL: d.text(v, "documentation_url", optional),
		Tests:            d.tests(v),
	}
	if f := v.fields["language"]; f != nil {
		r.Language = executor.Language(f.text)
	}
	// The original takes any category and shows those it does not know as one.
	if !slices.Contains(categories, r.Category) {
		r.Category = "UNKNOWN"
	}
	for _, a := range d.list(v, "arguments", optional) {
		if d.want(a, object, "an argument") {
			r.Parameters = append(r.Parameters, Parameter{d.longText(a, "name", filled), d.longText(a, "description", optional)})
		}
	}
	if len(r.Code) > maxCode {
		d.fail(v.fields["code"], "code is larger than %d MiB", maxCode>>20)
	} else if r.Code != "" {
		d.checksum(v, r.Code)
		if !d.finder.found(r.Code) {
			d.fail(v.fields["code"], "no function visit at the top level of the code; write function visit(match, filename, code) { ... }")
		}
	}
	return r
}

func (d *decoder) tests(v *value) []TestCase {
	var tests []TestCase
	for _, t := range d.list(v, "tests", d.inJSON()) {
		if d.want(t, object, "a test") {
			tests = append(tests, TestCase{
				Filename:   d.text(t, "filename", filled),
				Code:       d.longText(t, "code", present),
				Violations: d.count(t, "annotation_count"),
			})
		}
	}
	return tests
}

// checksum compares the rule's checksum with that of its code: SHA-256 over the
// base64 text as it stands in JSON, or of the code without its last newlines in
// YAML.
func (d *decoder) checksum(v *value, code string) {
	if d.BypassChecksum {
		return
	}
	want := d.text(v, "checksum", d.inJSON())
	if want == "" {
		return
	}
	base := base64.StdEncoding.EncodeToString([]byte(strings.TrimRight(code, "\n")))
	if d.encoded {
		base = v.fields["code"].text
	}
	sum := sha256.Sum256([]byte(base))
	if got := hex.EncodeToString(sum[:]); got != want {
		d.fail(v.fields["checksum"], "checksum does not fit the code, whose own is %s", got)
	}
}
