package rules

import "embed"

//go:embed builtin
var builtin embed.FS

// Builtin returns the project's own rules: one set for JavaScript, one for
// TypeScript. Each call makes new rules.
func Builtin() ([]Set, error) {
	l := newLoader(Options{})
	defer l.close()
	return l.result(l.folders(builtin, "builtin"))
}
