package shadow

import "sync/atomic"

// A Sampler picks which files to compare. The zero value is ready. Pick may be
// called from any goroutine.
type Sampler struct{ n atomic.Uint64 }

// Pick decides for the next file, so that share of all files are picked.
func (s *Sampler) Pick(share float64) bool { return Picks(s.n.Add(1)-1, share) }

// Picks says whether the n-th file is picked. The picked ones are spread
// evenly, and by number rather than by key or content: so every user's files
// have their turn, the share is kept for any traffic, and the same numbers
// give the same choice. The steps are the golden ratio's, which no period of
// the traffic falls in with.
func Picks(n uint64, share float64) bool {
	const golden = 0x9e3779b97f4a7c15            // 2^64 divided by the golden ratio
	return float64(n*golden>>11) < share*(1<<53) // 53 bits are exact
}
