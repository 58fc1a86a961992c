package rules

import (
	"fmt"
	"strings"
)

// A Fault is one thing wrong with a rule file.
type Fault struct {
	// File is the path as the caller can open it.
	File string
	// Rule is the rule's name, empty if the fault is not in a rule or the
	// rule has no name.
	Rule string
	// Line and Column are 1-based and count characters; 0 if there is no place.
	Line, Column int
	// Problem says what is wrong and what would be right.
	Problem string
}

// Error is "file:line:column: rule name: problem", without the parts that are
// not known.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", f.Line, f.Column)
	}
	if f.Rule != "" {
		fmt.Fprintf(&b, ": rule %s", f.Rule)
	}
	b.WriteString(": " + f.Problem)
	return b.String()
}

// Faults is the error of a load: all faults in the order of the files. Get it
// with errors.As.
type Faults []*Fault

// Error is one line for each fault.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As each *Fault.
func (fs Faults) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}
