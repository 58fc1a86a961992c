package corpus

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
)

// A candidate is an eligible file before the selection.
type candidate struct {
	Entry
	pathHash [sha256.Size]byte
}

func newCandidate(lang executor.Language, path string, text []byte) candidate {
	return candidate{
		Entry: Entry{
			Language: lang, Path: path,
			Size: int64(len(text)), SHA256: sha256.Sum256(text),
		},
		pathHash: sha256.Sum256([]byte(path)),
	}
}

// Classes of files in the order in which they are taken.
const (
	distinctSource = iota
	distinctDeclaration
	duplicate
)

// selectFiles picks at most limits[language] files of each language (all, when
// there is no limit): distinct sources first, then distinct declaration files,
// then files whose bytes equal an earlier one's, each in path-hash order. The
// result is in a Corpus's order. It sorts candidates in place.
func selectFiles(candidates []candidate, limits map[executor.Language]int) []Entry {
	sortCandidates(candidates)
	var entries []Entry
	for _, lang := range []executor.Language{executor.JavaScript, executor.TypeScript} {
		var files []candidate
		for _, c := range candidates {
			if c.Language == lang {
				files = append(files, c)
			}
		}
		if n, limited := limits[lang]; limited && n < len(files) {
			files = firstByClass(files, n)
		}
		for _, f := range files {
			entries = append(entries, f.Entry)
		}
	}
	var offset int64
	for i := range entries {
		entries[i].offset = offset
		offset += entries[i].Size
	}
	return entries
}

// firstByClass takes n files of a list in path-hash order, class by class, and
// returns them in that order again.
func firstByClass(files []candidate, n int) []candidate {
	var classes [duplicate + 1][]candidate
	seen := make(map[[sha256.Size]byte]bool, len(files))
	for _, f := range files {
		class := distinctSource
		switch {
		case seen[f.SHA256]:
			class = duplicate
		case isDeclaration(f.Path):
			class = distinctDeclaration
		}
		seen[f.SHA256] = true
		classes[class] = append(classes[class], f)
	}
	picked := slices.Concat(classes[:]...)[:n]
	sortCandidates(picked)
	return picked
}

func sortCandidates(files []candidate) {
	slices.SortFunc(files, func(a, b candidate) int { return bytes.Compare(a.pathHash[:], b.pathHash[:]) })
}
