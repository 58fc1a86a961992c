package findings

import (
	"fmt"
	"io"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
)

// A Form writes one report. The calls are Begin, File for each file in order,
// End, and Flush in any case. It belongs to one goroutine.
type Form interface {
	Begin(*Head) error
	File(*executor.FileResult) error
	End(*Head, *Totals) error
	// Flush writes what is still held and whole.
	Flush() error
}

// A Head says what is analyzed, by what and with what.
type Head struct {
	// Version is the program's own.
	Version string
	// Executor is the flag's value; Source and Reason are what decided it and
	// why. Decision is all of that for people.
	Executor, Source, Reason, Decision string
	// Corpus is the files' name, Digest their SHA-256, RulesDigest the rules'.
	Corpus, Digest, RulesDigest string
	// Part is the part of Corpus that is analyzed, such as 2/7; "" is all of it.
	Part string
	// Whole is the digest of the files that Part is a part of.
	Whole string
	// Files counts the files of each language, Unread those left out because
	// they cannot be read.
	Files  map[executor.Language]int
	Unread int
	// Rules are the rules that run, in order.
	Rules []*rules.Rule
}

var forms = map[string]func(io.Writer) Form{
	"table": newTable, "json": newJSON, "sarif": newSARIF, "csv": newCSV, "markdown": newMarkdown,
}

// Names are the forms that New knows.
func Names() []string { return []string{"table", "json", "sarif", "csv", "markdown"} }

// New returns the named form, which writes to w.
func New(name string, w io.Writer) (Form, error) {
	make := forms[name]
	if make == nil {
		return nil, fmt.Errorf("findings: unknown form %q; known are %s", name, strings.Join(Names(), ", "))
	}
	return make(w), nil
}

// languages are those that can be analyzed, in the order of reports.
var languages = []struct {
	executor.Language
	name string
}{{executor.JavaScript, "JavaScript"}, {executor.TypeScript, "TypeScript"}}

// count is the number of rules for a language.
func (h *Head) count(l executor.Language) int {
	n := 0
	for _, r := range h.Rules {
		if r.Language == l {
			n++
		}
	}
	return n
}
