package serve

import (
	"sync/atomic"
	"time"
)

// unusable knows whether the latest jobs all found their executor unusable. Its
// methods may be called from any goroutine.
type unusable struct {
	inRow atomic.Int64
	last  atomic.Int64 // when, in Unix nanoseconds
}

// How many jobs in a row make a server unready, and for how long after the last
// of them: then it wants a job to try with.
const (
	unusableJobs = 3
	unusableFor  = 10 * time.Second
)

func (u *unusable) note(failed bool, now time.Time) {
	if !failed {
		u.inRow.Store(0)
		return
	}
	u.last.Store(now.UnixNano())
	u.inRow.Add(1)
}

func (u *unusable) lately(now time.Time) bool {
	return u.inRow.Load() >= unusableJobs && now.Sub(time.Unix(0, u.last.Load())) < unusableFor
}
