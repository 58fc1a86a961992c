package measure

import (
	"crypto/sha256"
	"math/big"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// The digests of parts add up to that of the whole, whatever the parts.
func TestAddFindings(t *testing.T) {
	results := []*executor.FileResult{
		{Language: executor.JavaScript, Path: "a.js", Err: executor.ErrTimeout},
		{Language: executor.TypeScript, Path: "b.ts", Err: executor.ErrTimeout},
		{Language: executor.TypeScript, Path: "c.ts", Err: executor.ErrTimeout},
	}
	of := func(list ...*executor.FileResult) string {
		d := newDigest(nil)
		for _, r := range list {
			d.add(r)
		}
		return d.sum()
	}
	whole := of(results...)
	for _, parts := range [][2]string{
		{of(results[0]), of(results[1:]...)},
		{of(results[2], results[0]), of(results[1])},
		{of(), of(results[2], results[1], results[0])},
	} {
		if got, err := AddFindings(parts[0], parts[1]); err != nil || got != whole {
			t.Errorf("%v come to %s (%v), want %s", parts, got, err, whole)
		}
	}
	if whole == of(results[:2]...) || of(results[0], results[0]) == of() {
		t.Error("digests of different files are equal")
	}
	for _, bad := range []string{"", "12", strings.Repeat("g", 64), strings.Repeat("0", 66)} {
		if _, err := AddFindings(whole, bad); err == nil {
			t.Errorf("%q is taken for a digest", bad)
		}
	}
}

func TestSetSum(t *testing.T) {
	var sum setSum
	want := new(big.Int)
	for i := range 100 {
		next := sha256.Sum256([]byte{byte(i)})
		sum.add(next)
		want.Add(want, new(big.Int).SetBytes(next[:]))
	}
	want.Mod(want, new(big.Int).Lsh(big.NewInt(1), 256))
	if new(big.Int).SetBytes(sum[:]).Cmp(want) != 0 {
		t.Errorf("sum %v, want %x", sum, want)
	}
}
