package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/ddsabench/ddsabench/executor"
)

// The faults of a request that the original has words for. They are answered
// with status 200 and no results, as there, in the order in which the original
// looks for them.
const (
	configurationNotBase64 = "configuration-not-base64"
	badConfiguration       = "could-not-parse-configuration"
	languageMismatch       = "language-mismatch"
	ruleNotDecoded         = "error-decoding-base64" // of a rule; also a query that does not compile
	codeNotBase64          = "code-not-base64"
	checksumMismatch       = "checksum-mismatch"
	// unsupportedLanguage is ours: the original parses more.
	unsupportedLanguage = "unsupported-language"
)

// maxQueries bounds the queries of one request, in bytes. They are compiled in
// the server's own process, and nothing stops that.
const maxQueries = 256 << 10

// A fault is one of them. The detail is for the log.
type fault struct{ word, detail string }

func (f *fault) Error() string { return f.word + ": " + f.detail }

// A task is a request whose texts are decoded and checked.
type task struct {
	path     string
	language executor.Language
	text     string
	// names has one entry for each rule of the request, place its index in
	// rules, or -1 if it is of a type that does not run here.
	names []string
	place []int
	// rules are those to run, in order. Once the task has its program, they are
	// the program's.
	rules     []*executor.Rule
	logOutput bool
}

// validate decodes and checks a request. An error is a *fault.
func (r *request) validate() (*task, error) {
	if r.configuration != nil {
		if err := checkConfiguration(*r.configuration); err != nil {
			return nil, err
		}
	}
	for _, rule := range r.rules {
		if rule.language != r.language {
			return nil, &fault{languageMismatch, fmt.Sprintf("the file is %s, rule %q is %s", r.language, short(rule.id), rule.language)}
		}
	}
	t := &task{path: r.filename, language: executor.Language(r.language), logOutput: r.logOutput}
	queries := 0
	for _, rule := range r.rules {
		decoded, err := rule.decode()
		if err != nil {
			return nil, &fault{ruleNotDecoded, fmt.Sprintf("rule %q: %v", short(rule.id), err)}
		}
		t.names = append(t.names, rule.id)
		if decoded == nil {
			t.place = append(t.place, -1)
			continue
		}
		if queries += len(decoded.Query); queries > maxQueries {
			return nil, &fault{ruleNotDecoded, fmt.Sprintf("rule %q: the request's queries together are longer than %d bytes", short(rule.id), maxQueries)}
		}
		t.place = append(t.place, len(t.rules))
		t.rules = append(t.rules, decoded)
	}
	if len(r.rules) == 0 {
		return t, nil // of code and checksums the original does not look then
	}
	var err error
	if t.text, err = text(r.code); err != nil {
		return nil, &fault{codeNotBase64, err.Error()}
	}
	for _, rule := range r.rules {
		sum := sha256.Sum256([]byte(rule.code))
		if rule.checksum != hex.EncodeToString(sum[:]) {
			return nil, &fault{checksumMismatch, fmt.Sprintf("rule %q", short(rule.id))}
		}
	}
	if t.language != executor.JavaScript && t.language != executor.TypeScript {
		return nil, &fault{unsupportedLanguage, r.language}
	}
	return t, nil
}

// decode makes a rule, or nil where the type does not run here.
func (r *requestRule) decode() (*executor.Rule, error) {
	code, err := text(r.code)
	if err != nil {
		return nil, fmt.Errorf("code: %w", err)
	}
	optional := []*string{r.shortDescription, r.description}
	for i := range r.argumentNames {
		optional = append(optional, &r.argumentNames[i], &r.argumentMeanings[i])
	}
	for _, t := range optional {
		if t != nil {
			if _, err := text(*t); err != nil {
				return nil, fmt.Errorf("descriptions: %w", err)
			}
		}
	}
	if r.ruleType != ruleTypes[0] {
		return nil, nil
	}
	if r.query == nil {
		return nil, errors.New("tree_sitter_query is missing")
	}
	query, err := text(*r.query)
	if err != nil {
		return nil, fmt.Errorf("tree_sitter_query: %w", err)
	}
	return &executor.Rule{
		Name: r.id, Language: executor.Language(r.language),
		Severity: executor.Severity(r.severity), Category: r.category,
		Query: query, Code: code,
	}, nil
}

// text decodes padded standard base64 of valid UTF-8, and nothing looser: Go's
// decoder alone would skip line ends.
func text(encoded string) (string, error) {
	if i := strings.IndexAny(encoded, "\r\n"); i >= 0 {
		return "", base64.CorruptInputError(i)
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(decoded) {
		return "", errors.New("not UTF-8")
	}
	return string(decoded), nil
}

// Bounds of a configuration: its bytes of YAML, and its opening brackets,
// because the parser's memory grows with the square of how deep they nest. One
// is enough to name rule sets.
const (
	maxConfiguration = 4 << 10
	maxBrackets      = 64
)

// checkConfiguration refuses a configuration that would change the answer:
// what it asks for (ignored paths, arguments) is not done here, and ignoring it
// would give wrong results. One that only names rule sets is fine.
func checkConfiguration(encoded string) error {
	decoded, err := text(encoded)
	if err != nil {
		return &fault{configurationNotBase64, err.Error()}
	}
	if len(decoded) > maxConfiguration {
		return &fault{badConfiguration, fmt.Sprintf("more than %d bytes", maxConfiguration)}
	}
	if strings.Count(decoded, "[")+strings.Count(decoded, "{") > maxBrackets {
		return &fault{badConfiguration, fmt.Sprintf("more than %d brackets", maxBrackets)}
	}
	var c struct {
		SchemaVersion string   `yaml:"schema-version"`
		Rulesets      []string `yaml:"rulesets"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(decoded), &c, yaml.Strict()); err != nil {
		return &fault{badConfiguration, "only schema-version and a list of names under rulesets are understood"}
	}
	return nil
}
