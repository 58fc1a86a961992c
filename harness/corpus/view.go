package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/ddsabench/ddsabench/executor"
)

// Every returns a view of c with the first of every n files of each language,
// in path-hash order: a sample of 1/n that does not favour a package.
func (c *Corpus) Every(n int) (*Corpus, error) {
	if n < 1 {
		return nil, fmt.Errorf("corpus: every %d files: must be at least 1", n)
	}
	seen := map[executor.Language]int{}
	return c.view(fmt.Sprintf("%s, 1 file of %d", c.name, n), func(e *Entry) bool {
		seen[e.Language]++
		return (seen[e.Language]-1)%n == 0
	})
}

// Shard returns a view with part i of n, i from 1. Which part a file belongs to
// follows from its path alone: the first 8 bytes of the path's SHA-256 as a
// big-endian number, modulo n, plus 1. The parts are disjoint and together are c; a part
// of a small corpus can be empty.
func (c *Corpus) Shard(i, n int) (*Corpus, error) {
	if n < 1 || i < 1 || i > n {
		return nil, fmt.Errorf("corpus: shard %d/%d: must be between 1/%d and %d/%d", i, n, max(n, 1), max(n, 1), max(n, 1))
	}
	return c.view(fmt.Sprintf("%s, shard %d/%d", c.name, i, n), func(e *Entry) bool {
		sum := sha256.Sum256([]byte(e.Path))
		return binary.BigEndian.Uint64(sum[:])%uint64(n) == uint64(i-1)
	})
}

// view keeps c's order and problems.
func (c *Corpus) view(name string, keep func(*Entry) bool) (*Corpus, error) {
	list, err := c.list.pick(keep)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w; %s", c.name, err, c.source.remedy())
	}
	return &Corpus{name: name, list: list, problems: c.problems, source: c.source}, nil
}
