package executor

// A Language is a language that rules can be written for, spelled as in rule
// files.
type Language string

// The languages that can be parsed.
const (
	JavaScript Language = "JAVASCRIPT"
	TypeScript Language = "TYPESCRIPT"
)

// A Severity is how grave a rule's violations are, spelled as in rule files.
type Severity string

// The severities, gravest first.
const (
	SeverityError   Severity = "ERROR"
	SeverityWarning Severity = "WARNING"
	SeverityNotice  Severity = "NOTICE"
	SeverityNone    Severity = "NONE"
)

// A Rule is what an executor has to know of a rule. It is immutable and shared
// by all executors; two rules are the same rule if their pointers are equal.
type Rule struct {
	// Name is the full name, "<set>/<rule>".
	Name     string
	Language Language
	Severity Severity
	Category string
	// Query is a tree-sitter query, possibly of several patterns.
	Query string
	// Code is the rule's JavaScript with a top-level function visit.
	Code string
	// Arguments are what match.context.arguments gives the rule.
	Arguments map[string]string
}
