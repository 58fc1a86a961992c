package rules

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/ddsabench/ddsabench/executor"
)

// Digest is the hex SHA-256 of everything in the rules that changes what they
// find and how it is reported. The order of the rules does not matter. Each
// field is preceded by its length, so that no two selections read the same.
func Digest(selection []*executor.Rule) string {
	sorted := slices.SortedFunc(slices.Values(selection), func(a, b *executor.Rule) int {
		return strings.Compare(a.Name, b.Name)
	})
	h := sha256.New()
	put := func(fields ...string) {
		for _, f := range fields {
			var size [8]byte
			binary.BigEndian.PutUint64(size[:], uint64(len(f)))
			h.Write(size[:])
			h.Write([]byte(f))
		}
	}
	for _, r := range sorted {
		put("rule", r.Name, string(r.Language), r.Query, r.Code, string(r.Severity), r.Category)
		for _, name := range slices.Sorted(maps.Keys(r.Arguments)) {
			put("argument", name, r.Arguments[name])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
