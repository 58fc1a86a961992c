package measure

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// A setSum is the sum of any number of SHA-256s modulo 2^256. It depends on no
// order, takes the same memory for any number, and the sums of two disjoint sets
// add up to that of both. It tells different work apart; it is no proof against
// one who makes up findings to reach a certain sum.
type setSum [sha256.Size]byte

func (s *setSum) add(other setSum) {
	var carry uint64
	for i := len(s) - 8; i >= 0; i -= 8 {
		a, b := binary.BigEndian.Uint64(s[i:]), binary.BigEndian.Uint64(other[i:])
		a, carry = bits.Add64(a, b, carry)
		binary.BigEndian.PutUint64(s[i:], a)
	}
}

func (s setSum) String() string { return hex.EncodeToString(s[:]) }

// AddFindings returns the findings' digest of two disjoint parts of a corpus
// taken together, from those of the parts.
func AddFindings(a, b string) (string, error) {
	var sum setSum
	for _, text := range []string{a, b} {
		part, err := hex.DecodeString(text)
		if err != nil || len(part) != len(sum) {
			return "", fmt.Errorf("findings digest %.100q is not %d hexadecimal digits", text, hex.EncodedLen(len(sum)))
		}
		sum.add(setSum(part))
	}
	return sum.String(), nil
}
