package executor

import "time"

// A Result is what one execution found, and what it cost.
type Result struct {
	// Entered says that the pair was an execution: it entered V8. It is false
	// when the query matched nothing.
	Entered bool
	// Tampered says that the rule was found to change JavaScript's built-in
	// objects. From then on each of its executions gets a fresh context.
	Tampered bool
	// Visits is the number of matches handed to the rule's visit function.
	Visits int
	// Violations are in the order in which the rule added them.
	Violations []Violation
	// Output is what the rule printed, lines joined by "\n"; empty unless the
	// execution ended well.
	Output string
	// Query is the time of the rule's own query, if it ran (see Tree.Matches).
	Query time.Duration
	// Elapsed is the time in the execution, watching and query included.
	Elapsed time.Duration
	// InV8 is the part of Elapsed spent inside the call into V8; 0 unless
	// Limits.InV8 asks for it.
	InV8 time.Duration
}

// A Position is a place in a file: 1-based, columns in UTF-16 units.
type Position struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

// A Violation is one finding. Severity and category are its rule's.
type Violation struct {
	Start   Position `json:"start"`
	End     Position `json:"end"`
	Message string   `json:"message"`
	Fixes   []Fix    `json:"fixes,omitempty"`
}

// A Fix is a proposed change that would mend a violation.
type Fix struct {
	Description string `json:"description"`
	Edits       []Edit `json:"edits"`
}

// An Edit is one step of a fix: Kind is ADD, REMOVE or UPDATE. ADD has no End,
// REMOVE no Content.
type Edit struct {
	Kind    string    `json:"edit_type"`
	Start   Position  `json:"start"`
	End     *Position `json:"end,omitempty"`
	Content *string   `json:"content,omitempty"`
}
