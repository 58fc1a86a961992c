package flags

import "fmt"

// A Decision is the flag's value and how it came about.
type Decision struct {
	Value  Runtime
	Source Source
	Reason Reason
	// ErrorCode is empty unless Reason is ERROR, and Err is nil unless it is.
	ErrorCode ErrorCode
	// Err names the source, the wrong value and the accepted ones. A command
	// ends with it as a usage error; a service may report it and go on.
	Err error
}

// String is the value and what decided it, for people.
func (d Decision) String() string {
	if d.Err != nil {
		return fmt.Sprintf("%s (%v)", d.Value, d.Err)
	}
	return fmt.Sprintf("%s (%s)", d.Value, d.Source)
}

// A Source is what decided.
type Source string

// The sources, the strongest first.
const (
	SourceKill        Source = "kill switch"
	SourceOption      Source = "option " + Key
	SourceEnvironment Source = "environment " + Env
	SourceDefault     Source = "default"
)

// A Reason is why the value is what it is, in OpenFeature's words.
type Reason string

// The reasons.
const (
	ReasonStatic   Reason = "STATIC"   // an option or the environment names the value
	ReasonDefault  Reason = "DEFAULT"  // nothing was set
	ReasonDisabled Reason = "DISABLED" // the kill switch is on
	ReasonError    Reason = "ERROR"    // a value that was set is wrong
)

// An ErrorCode is the kind of an error, in OpenFeature's words.
type ErrorCode string

// ParseError is the code of a value that is none of the flag's.
const ParseError ErrorCode = "PARSE_ERROR"
