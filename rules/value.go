package rules

// A kind is the type of a value in a rule file.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

var kindNames = [...]string{"null", "a boolean", "a number", "text", "a list", "a mapping"}

func (k kind) String() string { return kindNames[k] }

// A value is a piece of a parsed file, the same for YAML and JSON, with the
// place where it stands.
type value struct {
	kind         kind
	line, column int
	text         string // of text, number and boolean, as meant
	items        []*value
	fields       map[string]*value
}

// maxDepth bounds the nesting of values. Rule files need five levels; the
// parsers recurse, and Go cannot recover from a stack overflow.
const maxDepth = 100

// A syntaxError is a file that is not well-formed.
type syntaxError struct {
	line, column int
	problem      string
}

func (e *syntaxError) Error() string { return e.problem }
