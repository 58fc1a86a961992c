package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// skippedFolders are not entered, wherever they are below the corpus's folder:
// git's own, and those that the original analyzer takes for vendored or
// generated code. As there, case does not count.
var skippedFolders = []string{
	".git",
	"node_modules", "jspm_packages", ".next", ".vuepress",
	"venv", "__pycache__",
	"_vendor/bundle/ruby", ".vendor/bundle/ruby", ".bundle",
	".gradle",
}

// isSkipped reports whether a path is that of a skipped folder.
func isSkipped(p string) bool {
	p = "/" + strings.ToLower(p)
	for _, folder := range skippedFolders {
		if strings.HasSuffix(p, "/"+folder) {
			return true
		}
	}
	return false
}

// addGitignore takes in a folder's .gitignore, if it has one. As git does, it
// follows no link.
func (w *walk) addGitignore(dir string) {
	p := path.Join(dir, ".gitignore")
	info, err := w.folder.root.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file, so not obeyed")
	}
	if err == nil && info.Size() > maxSize {
		err = fmt.Errorf("larger than %d bytes, so not obeyed", maxSize)
	}
	if err != nil {
		w.problem(p, err)
		return
	}
	f, size, err := w.folder.open(p)
	if err != nil {
		w.problem(p, err)
		return
	}
	defer f.Close() // only read
	text, err := io.ReadAll(io.LimitReader(f, min(size, maxSize)))
	if err != nil {
		w.problem(p, err)
		return
	}
	w.gitignores.Add(dir, text)
}
