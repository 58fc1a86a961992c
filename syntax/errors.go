package syntax

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// Targets for errors.Is.
var (
	// ErrParseTimeout says that a file took longer to parse than allowed.
	ErrParseTimeout = errors.New("parsing timed out")
	// ErrTooDeep says that a file's tree is deeper than 60,000 nodes.
	ErrTooDeep = errors.New("nested too deep to be searched")
	// ErrTooManyMatches says that a rule's own query had more matches in
	// progress, or found more, than the package comment's limits. It is
	// executor.ErrMemory too.
	ErrTooManyMatches error = tooManyMatches{}
	// ErrStale says that a tree was used after its parser parsed the next file
	// or was closed.
	ErrStale = errors.New("the tree's parser has gone on to another file")
)

type tooManyMatches struct{}

func (tooManyMatches) Error() string { return "too many matches" }

// Is matches executor.ErrMemory.
func (tooManyMatches) Is(target error) bool { return target == executor.ErrMemory }

// A ParseTimeout is the error of a file that took too long to parse. It is
// ErrParseTimeout.
type ParseTimeout struct {
	Path  string
	Limit time.Duration
}

func (e *ParseTimeout) Error() string {
	return fmt.Sprintf("%s: %v after %v", e.Path, ErrParseTimeout, e.Limit)
}

// Is matches ErrParseTimeout.
func (e *ParseTimeout) Is(target error) bool { return target == ErrParseTimeout }

// A Kind is what is wrong with a query.
type Kind string

// The kinds of faults in queries.
const (
	BadLanguage  Kind = "language that cannot be parsed"
	BadSyntax    Kind = "syntax error"
	BadNodeType  Kind = "node type that the grammar does not have"
	BadField     Kind = "field that the grammar does not have"
	BadCapture   Kind = "capture that the query does not make"
	BadStructure Kind = "pattern that can never match"
	BadPredicate Kind = "predicate"
	BadRegexp    Kind = "regular expression"
	Endless      Kind = "repetition that may not end"
	Empty        Kind = "no pattern"
	TooLarge     Kind = "query too large"
)

// A QueryError is the first fault in one rule's query.
type QueryError struct {
	Rule *executor.Rule
	Kind Kind
	// Offset is the place in bytes from the query's start. Line and Column are
	// the same place, 1-based; the column counts bytes.
	Offset, Line, Column int
	// Detail says more, where there is more to say.
	Detail string
}

func (e *QueryError) Error() string {
	s := fmt.Sprintf("rule %s: query, line %d, column %d (offset %d): %s",
		e.Rule.Name, e.Line, e.Column, e.Offset, e.Kind)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// QueryErrors are all broken rules of a set, in the rules' order.
type QueryErrors []*QueryError

func (e QueryErrors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors, for errors.As.
func (e QueryErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

func newQueryError(r *executor.Rule, kind Kind, offset int, detail string) *QueryError {
	offset = min(offset, len(r.Query))
	before := r.Query[:offset]
	return &QueryError{
		Rule: r, Kind: kind, Offset: offset, Detail: detail,
		Line:   strings.Count(before, "\n") + 1,
		Column: offset - strings.LastIndexByte(before, '\n'),
	}
}
