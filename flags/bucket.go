package flags

import (
	"crypto/sha256"
	"encoding/binary"
)

// Buckets is how many buckets the targeting keys are spread over, so that 0.01%
// is the smallest share.
const Buckets = 10_000

// Bucket returns the bucket of a targeting key, from 0 to Buckets-1. A share of
// N % takes in the buckets below N*100. Flags with different keys spread the
// targeting keys independently.
//
// The bucket is the first 8 bytes, big endian, of the SHA-256 of flag key, a
// zero byte and targeting key, modulo Buckets. This never changes, so that no
// user changes sides when the program is updated.
func Bucket(flagKey, targetingKey string) int {
	var space [128]byte // keys of usual length need no allocation
	text := append(append(append(space[:0], flagKey...), 0), targetingKey...)
	sum := sha256.Sum256(text)
	return int(binary.BigEndian.Uint64(sum[:8]) % Buckets)
}
