package count

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// A space is the anonymous memory of one address space, as its mapping calls
// left it. Memory that was mapped before counting began is unknown to it and
// ignored. Addresses and lengths are untrusted; lengths need not be whole pages.
type space struct {
	page     uint64
	segments []segment // sorted, not empty, not overlapping
	total    *totals
}

// A segment is a part of a mapping with one history.
type segment struct {
	start, end uint64
	mapping    *mapping
	open       bool // was accessible at some time
}

// A mapping is what one mmap call made.
type mapping struct {
	live uint64 // bytes still mapped
	open bool   // some of it was accessible at some time
}

// totals are summed over the address spaces of all processes.
type totals struct {
	harness.Allocations
	maps, mapped uint64 // calls for anonymous memory and their bytes
	// odd counts calls that do not fit what was there, because events arrived
	// out of order or the call cannot be followed.
	odd uint64
}

// mmap is a successful call that returned addr.
func (s *space) mmap(addr, length, prot, flags uint64) {
	end, ok := s.end(addr, length)
	if !ok {
		s.total.odd++
		return
	}
	replaced := s.carve(addr, end)
	if len(replaced) > 0 && flags&unix.MAP_FIXED == 0 {
		s.total.odd++ // the kernel never maps over what is there unless told to
	}
	s.free(replaced)
	if flags&unix.MAP_ANONYMOUS == 0 {
		return
	}
	size := end - addr
	s.total.maps++
	s.total.mapped += size
	s.total.ReservedBytes += size
	m := &mapping{live: size}
	s.insert(s.opened(segment{addr, end, m, false}, prot))
}

// munmap is a call that has not failed.
func (s *space) munmap(addr, length uint64) {
	if end, ok := s.end(addr, length); ok {
		s.free(s.carve(addr, end))
	}
}

// mprotect is a successful call.
func (s *space) mprotect(addr, length, prot uint64) {
	if end, ok := s.end(addr, length); ok && prot&accessible != 0 {
		for _, part := range s.carve(addr, end) {
			s.insert(s.opened(part, prot))
		}
	}
}

// mremap is a successful call that returned now. The moved mapping stays the
// same one.
func (s *space) mremap(old, oldLength, newLength, flags, now uint64) {
	oldEnd, okOld := s.end(old, oldLength)
	nowEnd, okNow := s.end(now, newLength)
	if !okOld || !okNow {
		s.total.odd++ // an old length of 0 duplicates shared memory
		return
	}
	parts := s.carve(old, oldEnd)
	if flags&unix.MREMAP_DONTUNMAP != 0 {
		for _, p := range parts {
			s.insert(p)
			p.mapping.live += p.end - p.start
			s.grown(p.open, p.end-p.start)
		}
	}
	replaced := s.carve(now, nowEnd)
	if len(replaced) > 0 && flags&unix.MREMAP_FIXED == 0 {
		s.total.odd++
	}
	s.free(replaced)
	for _, p := range parts {
		at := segment{p.start - old + now, p.end - old + now, p.mapping, p.open}
		switch {
		case p.end == oldEnd && nowEnd > at.end:
			p.mapping.live += nowEnd - at.end
			s.grown(p.open, nowEnd-at.end)
			at.end = nowEnd
		case at.start >= nowEnd:
			s.free([]segment{at})
			continue
		case at.end > nowEnd:
			s.free([]segment{{nowEnd, at.end, p.mapping, p.open}})
			at.end = nowEnd
		}
		s.insert(at)
	}
}

// close adds what is still mapped to the totals. The space is empty afterwards.
func (s *space) close() {
	seen := map[*mapping]bool{}
	for _, part := range s.segments {
		if m := part.mapping; !seen[m] {
			seen[m] = true
			if m.open {
				s.total.Persistent++
			} else {
				s.total.Reservations++
			}
		}
	}
	s.segments = nil
}

const accessible = unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC

// opened is part after a call that gave it prot.
func (s *space) opened(part segment, prot uint64) segment {
	if prot&accessible != 0 && !part.open {
		part.open, part.mapping.open = true, true
		s.total.Bytes += part.end - part.start
		s.total.ReservedBytes -= part.end - part.start
	}
	return part
}

func (s *space) grown(open bool, by uint64) {
	if open {
		s.total.Bytes += by
	} else {
		s.total.ReservedBytes += by
	}
}

// end is the end of the range in whole pages. Not ok is what the kernel would
// refuse: an address within a page, a length of 0, an end that no address has.
func (s *space) end(addr, length uint64) (end uint64, ok bool) {
	mask := s.page - 1
	rounded := (length + mask) &^ mask
	end = addr + rounded
	return end, addr&mask == 0 && length > 0 && rounded >= length && end > addr && end <= 1<<63
}

// carve takes the range out of the segments and returns its parts in order.
func (s *space) carve(start, end uint64) []segment {
	from, _ := slices.BinarySearchFunc(s.segments, start, func(p segment, at uint64) int {
		if p.end <= at {
			return -1
		}
		return 1
	})
	var parts, rest []segment
	to := from
	for ; to < len(s.segments) && s.segments[to].start < end; to++ {
		p := s.segments[to]
		if p.start < start {
			rest = append(rest, segment{p.start, start, p.mapping, p.open})
		}
		if p.end > end {
			rest = append(rest, segment{end, p.end, p.mapping, p.open})
		}
		parts = append(parts, segment{max(p.start, start), min(p.end, end), p.mapping, p.open})
	}
	s.segments = slices.Replace(s.segments, from, to, rest...)
	return parts
}

// insert puts a segment into a range that is free.
func (s *space) insert(p segment) {
	at, _ := slices.BinarySearchFunc(s.segments, p.start, func(q segment, start uint64) int {
		if q.start < start {
			return -1
		}
		return 1
	})
	s.segments = slices.Insert(s.segments, at, p)
}

// free unmaps segments that were carved out.
func (s *space) free(parts []segment) {
	for _, p := range parts {
		m := p.mapping
		if m.live -= p.end - p.start; m.live > 0 {
			continue
		}
		if m.open {
			s.total.Transient++
		} else {
			s.total.Reservations++
		}
	}
}
