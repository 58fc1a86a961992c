package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness/corpus/gitignore"
)

// openFolder lists and checksums the eligible files of a folder, or a single
// file, which .gitignore files do not keep out.
func openFolder(dir string, options []Option) (*Corpus, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("corpus: %w; tiers are %s", err, strings.Join(Tiers(), ", "))
	case err != nil:
		return nil, fmt.Errorf("corpus: %w", err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, fmt.Errorf("corpus: %s: %w, and no regular file", dir, ErrNotFolder)
	}
	folderPath, only := dir, "."
	if !info.IsDir() {
		folderPath, only = filepath.Split(filepath.Clean(dir))
		folderPath = filepath.Clean(folderPath)
	}
	root, err := os.OpenRoot(folderPath)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	w := walk{folder: folder{root}, gitignored: slices.Contains(options, Gitignored)}
	_ = fs.WalkDir(root.FS(), only, w.visit) // visit keeps errors as problems
	if len(w.found) == 0 {
		root.Close()
		return nil, fmt.Errorf("corpus: %s: %w%s", dir, ErrEmpty, w.why())
	}
	list := newListing(selectFiles(w.found, nil), nil)
	return &Corpus{name: dir, list: list, problems: w.problems, source: &w.folder}, nil
}

// A walk collects a folder's files.
type walk struct {
	folder     folder
	gitignored bool // .gitignore files do not count
	gitignores gitignore.Tree
	found      []candidate
	problems   []Problem
	counts     [verdicts]int
	excluded   int // files and folders, by .gitignore
	buf        []byte
}

// visit takes one file or folder. Links are not followed into folders; a link
// to a file counts as a file if it stays below the corpus's folder.
func (w *walk) visit(p string, d fs.DirEntry, err error) error {
	if err != nil {
		w.problem(p, err)
		return nil
	}
	if d.IsDir() {
		return w.enter(p)
	}
	lang := languageOf(p)
	if lang == "" || isFolderLink(w.folder.root, p, d) {
		return nil
	}
	if w.gitignores.Ignored(p, false) {
		w.excluded++
		return nil
	}
	if !validPath(p) {
		w.problem(p, errors.New("name is not UTF-8 or holds a control character"))
		return nil
	}
	if err := w.add(lang, p); err != nil {
		w.problem(p, err)
	}
	return nil
}

// enter decides whether a folder's content is visited.
func (w *walk) enter(dir string) error {
	if dir != "." {
		if isSkipped(dir) {
			return fs.SkipDir
		}
		if w.gitignores.Ignored(dir, true) {
			w.excluded++
			return fs.SkipDir
		}
	}
	if !w.gitignored {
		w.addGitignore(dir)
	}
	return nil
}

func isFolderLink(root *os.Root, p string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := root.Stat(p)
	return err == nil && info.IsDir()
}

// add reads a file and keeps it as a candidate if it is eligible.
func (w *walk) add(lang executor.Language, p string) error {
	f, size, err := w.folder.open(p)
	if err != nil {
		return err
	}
	defer f.Close()
	v := checkSize(size)
	if v == eligible {
		if w.buf == nil {
			w.buf = make([]byte, maxSize)
		}
		text := w.buf[:size]
		if _, err := io.ReadFull(f, text); err != nil {
			return err
		}
		if v = check(lang, text); v == eligible {
			w.found = append(w.found, newCandidate(lang, p, text))
		}
	}
	w.counts[v]++
	return nil
}

func (w *walk) problem(p string, err error) {
	// The path is said once: a PathError would say it again.
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	w.problems = append(w.problems, Problem{Path: path.Clean(p), Err: err})
}

// why says what was found in a folder without eligible files.
func (w *walk) why() string {
	var parts []string
	for v, n := range w.counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, verdict(v)))
		}
	}
	if w.excluded > 0 {
		parts = append(parts, fmt.Sprintf("%d excluded by .gitignore", w.excluded))
	}
	for _, p := range w.problems {
		parts = append(parts, p.String())
	}
	if parts == nil {
		return " (no JavaScript or TypeScript file)"
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// A folder is the contents of a folder's files. Links cannot lead out of it.
type folder struct{ root *os.Root }

// open opens a regular file. O_NONBLOCK keeps a named pipe from blocking.
func (f *folder) open(p string) (*os.File, int64, error) {
	file, err := f.root.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func (f *folder) read(e *Entry, buf []byte) error {
	file, size, err := f.open(e.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	if size != e.Size {
		return fmt.Errorf("%w: size went from %d to %d bytes; %s", ErrCorrupt, e.Size, size, f.remedy())
	}
	_, err = io.ReadFull(file, buf)
	return err
}

func (f *folder) remedy() string { return "it changed since the start: run again" }

func (f *folder) Close() error { return f.root.Close() }
