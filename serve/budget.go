package serve

import "sync"

// A budget is a number of bytes that many take a part of. A part that is larger
// than all of it is given where no other is taken.
type budget struct {
	most int

	mu   sync.Mutex
	used int
}

// take reports whether there is room for n bytes, which are then taken until
// they are given back.
func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used > 0 && b.used+n > b.most {
		return false
	}
	b.used += n
	return true
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}
