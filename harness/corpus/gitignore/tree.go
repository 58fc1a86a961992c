// Package gitignore says which paths the .gitignore files of a folder exclude,
// by git's rules. It reads no files and runs no git; files that git has outside
// of the folder (.git/info/exclude, core.excludesFile, a parent folder's
// .gitignore) and its index play no part, so that the answer depends on the
// folder's content alone.
//
// The files are untrusted input: nothing in them is an error, and matching a
// path takes time polynomial in its length and little memory.
package gitignore

import (
	"path"
	"strings"
)

// A Tree holds the .gitignore files of a folder and of those below it. The zero
// value excludes nothing. It is for one goroutine.
type Tree struct{ files map[string][]pattern }

// Add takes in the text of dir's .gitignore. Dir is a slash-separated path
// below the tree's root, "." for the root itself.
func (t *Tree) Add(dir string, text []byte) {
	if t.files == nil {
		t.files = map[string][]pattern{}
	}
	if patterns := parse(string(text)); patterns != nil {
		t.files[dir] = patterns
	}
}

// Ignored reports whether a file or folder is excluded. It has to be asked for
// folders from the top down: what is below an excluded one is excluded, whatever
// Ignored says of it. A link is not a folder, wherever it leads.
func (t *Tree) Ignored(name string, isDir bool) bool {
	if len(t.files) == 0 {
		return false
	}
	// The file nearest to the path that has anything to say decides.
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		below := name
		if dir != "." {
			below = strings.TrimPrefix(name, dir+"/")
		}
		if excluded, found := decide(t.files[dir], below, isDir); found {
			return excluded
		}
		if dir == "." {
			return false
		}
	}
}

// decide asks the patterns of one file: the last one that matches counts.
func decide(patterns []pattern, name string, isDir bool) (excluded, found bool) {
	for i := len(patterns) - 1; i >= 0; i-- {
		if patterns[i].matches(name, isDir) {
			return !patterns[i].negated, true
		}
	}
	return false, false
}
