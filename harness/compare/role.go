package compare

// A Role says what a row is there for, and so how it is judged.
type Role string

// The roles.
const (
	// Main is the row that the arms differ in. Its verdict is the comparison's.
	Main Role = "main"
	// Secondary rows are judged together, corrected for their number.
	Secondary Role = "secondary"
	// Control rows are judged as secondary ones are, but should be the same.
	Control Role = "control"
	// Work rows count what was done; that it is equal is checked otherwise.
	Work Role = "work"
	// Derived rows put another row differently. They have no verdict.
	Derived Role = "derived"
)

// MainKey is the key of the main row.
const MainKey = "in_executions"

// The roles are fixed before there are figures: a family of tests that depends
// on their outcome has no level.
var roles = map[string]Role{
	"files": Work, "pairs": Work, "executions": Work, "visits": Work, "violations": Work,
	"timeouts": Work, "errors": Work, "unparsed": Work,
	MainKey:         Main,
	"per_execution": Derived, "rate": Derived,
	"in_v8": Control, "load": Control,
}

// roleOf is the role of the row with that key; a new row is secondary.
func roleOf(key string) Role {
	if role, ok := roles[key]; ok {
		return role
	}
	return Secondary
}
