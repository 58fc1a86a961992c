package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
)

// A request is the body of POST /analyze as it was sent: texts are still base64
// and nothing is judged but the form.
type request struct {
	filename, language string
	code               string
	rules              []requestRule
	configuration      *string
	logOutput          bool
	// repository is ours: a targeting key where the header has none.
	repository string
}

type requestRule struct {
	id, language, ruleType          string
	category, severity              string
	code, checksum                  string
	query                           *string
	shortDescription, description   *string
	argumentNames, argumentMeanings []string
}

// What a request can say; only the first two languages and the first type run
// here.
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

// What a rule is that does not say.
const (
	defaultCategory = "BEST_PRACTICES"
	unknownCategory = "UNKNOWN"
	defaultSeverity = string(executor.SeverityWarning)
)

// decode reads a request's body. An error is errSyntax or errForm.
func decode(body []byte) (*request, error) {
	if !json.Valid(body) {
		return nil, errSyntax
	}
	f := object("request", bytes.TrimSpace(body))
	r := &request{
		filename:      f.name("filename"),
		language:      f.oneOf("language", languages),
		code:          f.text("code"),
		configuration: optional[string](f, "configuration", "base64 text"),
	}
	f.text("file_encoding") // any, as in the original
	if repository := optional[string](f, "repository", "text"); repository != nil {
		r.repository = *repository
	}
	if options, found := f.value("options"); found {
		o := object("options", options)
		optional[bool](o, "use_tree_sitter", "true or false") // it is always used
		if log := optional[bool](o, "log_output", "true or false"); log != nil {
			r.logOutput = *log
		}
		if f.err == nil {
			f.err = o.err
		}
	}
	for i, text := range required[[]json.RawMessage](f, "rules", "a list") {
		rule, err := decodeRule(fmt.Sprintf("rules[%d]", i), text)
		if err != nil {
			return nil, err
		}
		r.rules = append(r.rules, rule)
	}
	return r, f.err
}

func decodeRule(at string, text json.RawMessage) (requestRule, error) {
	f := object(at, text)
	r := requestRule{
		id:               f.name("id"),
		language:         f.oneOf("language", languages),
		ruleType:         f.oneOf("type", ruleTypes),
		code:             f.text("code"),
		category:         defaultCategory,
		severity:         defaultSeverity,
		query:            optional[string](f, "tree_sitter_query", "base64 text"),
		shortDescription: optional[string](f, "short_description", "base64 text"),
		description:      optional[string](f, "description", "base64 text"),
	}
	if category := optional[string](f, "category", "text"); category != nil {
		r.category = *category
		if !slices.Contains(categories, r.category) {
			r.category = unknownCategory
		}
	}
	if _, found := f.value("severity"); found {
		r.severity = f.oneOf("severity", severities)
	}
	if checksum := optional[string](f, "checksum", "text"); checksum != nil {
		r.checksum = *checksum
	}
	optional[string](f, "entity_checked", "text")
	optional[string](f, "pattern", "text")
	if arguments := optional[[]json.RawMessage](f, "arguments", "a list"); arguments != nil {
		for i, text := range *arguments {
			a := object(fmt.Sprintf("%s.arguments[%d]", at, i), text)
			r.argumentNames = append(r.argumentNames, a.text("name"))
			r.argumentMeanings = append(r.argumentMeanings, a.text("description"))
			if f.err == nil {
				f.err = a.err
			}
		}
	}
	return r, f.err
}
