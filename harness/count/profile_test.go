package count

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

const (
	page    = 4096
	none    = unix.PROT_NONE
	rw      = unix.PROT_READ | unix.PROT_WRITE
	anon    = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
	fixed   = anon | unix.MAP_FIXED
	file    = unix.MAP_PRIVATE | unix.MAP_FIXED
	move    = unix.MREMAP_MAYMOVE
	moveTo  = move | unix.MREMAP_FIXED
	keepOld = move | unix.MREMAP_DONTUNMAP
)

func TestProfile(t *testing.T) {
	type profile = harness.Allocations
	for name, c := range map[string]struct {
		calls func(s *space)
		want  profile
		odd   uint64
	}{
		"mapped and kept": {
			func(s *space) { s.mmap(page, 10*page, rw, anon) },
			profile{Persistent: 1, Bytes: 10 * page},
			0,
		},
		"mapped and unmapped": {
			func(s *space) { s.mmap(page, 10*page, rw, anon); s.munmap(page, 10*page) },
			profile{Transient: 1, Bytes: 10 * page},
			0,
		},
		"lengths are rounded up": {
			func(s *space) { s.mmap(page, 1, rw, anon); s.mmap(4*page, page+1, rw, anon); s.munmap(page, 1) },
			profile{Persistent: 1, Transient: 1, Bytes: 3 * page},
			0,
		},
		"unmapped in parts, from the middle": {
			func(s *space) {
				s.mmap(page, 10*page, rw, anon)
				s.munmap(4*page, page)
				s.munmap(page, 3*page)
				s.munmap(5*page, 20*page)
			},
			profile{Transient: 1, Bytes: 10 * page},
			0,
		},
		"partly unmapped is persistent": {
			func(s *space) { s.mmap(page, 10*page, rw, anon); s.munmap(page, 9*page) },
			profile{Persistent: 1, Bytes: 10 * page},
			0,
		},
		"one munmap over several": {
			func(s *space) {
				s.mmap(page, page, rw, anon)
				s.mmap(3*page, page, rw, anon)
				s.mmap(5*page, 2*page, rw, anon)
				s.munmap(0, 6*page)
			},
			profile{Persistent: 1, Transient: 2, Bytes: 4 * page},
			0,
		},
		"an arena: a reservation filled piece by piece": {
			func(s *space) {
				s.mmap(page, 100*page, none, anon)
				s.mmap(page, 10*page, rw, fixed)
				s.mmap(11*page, 10*page, rw, fixed)
			},
			profile{Persistent: 2, Bytes: 20 * page, Reservations: 1, ReservedBytes: 100 * page},
			0,
		},
		"a stack: reserved, opened but for its guard, unmapped": {
			func(s *space) {
				s.mmap(page, 9*page, none, anon|unix.MAP_STACK)
				s.mprotect(2*page, 8*page, rw)
				s.munmap(page, 9*page)
			},
			profile{Transient: 1, Bytes: 8 * page, ReservedBytes: page},
			0,
		},
		"closed and opened again is opened once": {
			func(s *space) {
				s.mmap(page, 4*page, rw, anon)
				s.mprotect(page, 4*page, none)
				s.mprotect(page, 2*page, unix.PROT_EXEC)
			},
			profile{Persistent: 1, Bytes: 4 * page},
			0,
		},
		"a reservation given back": {
			func(s *space) { s.mmap(page, 4*page, none, anon); s.munmap(page, 4*page) },
			profile{Reservations: 1, ReservedBytes: 4 * page},
			0,
		},
		"a file mapped over it unmaps it": {
			func(s *space) { s.mmap(page, 4*page, rw, anon); s.mmap(0, 8*page, rw, file) },
			profile{Transient: 1, Bytes: 4 * page},
			0,
		},
		"files alone are nothing": {
			func(s *space) { s.mmap(page, 4*page, rw, unix.MAP_PRIVATE); s.munmap(page, page) },
			profile{},
			0,
		},
		"moved and grown": {
			func(s *space) {
				s.mmap(page, 4*page, rw, anon)
				s.mremap(page, 4*page, 6*page, move, 20*page)
				s.munmap(page, 4*page)
			},
			profile{Persistent: 1, Bytes: 6 * page},
			0,
		},
		"grown in place, then unmapped": {
			func(s *space) {
				s.mmap(page, 4*page, rw, anon)
				s.mremap(page, 4*page, 6*page, move, page)
				s.munmap(page, 6*page)
			},
			profile{Transient: 1, Bytes: 6 * page},
			0,
		},
		"shrunk to a part, which is unmapped": {
			func(s *space) {
				s.mmap(page, 4*page, rw, anon)
				s.mremap(page, 4*page, page, 0, page)
				s.munmap(page, page)
			},
			profile{Transient: 1, Bytes: 4 * page},
			0,
		},
		"moved over another": {
			func(s *space) {
				s.mmap(page, page, rw, anon)
				s.mmap(8*page, page, rw, anon)
				s.mremap(page, page, page, moveTo, 8*page)
			},
			profile{Persistent: 1, Transient: 1, Bytes: 2 * page},
			0,
		},
		"moved, the old place kept": {
			func(s *space) {
				s.mmap(page, page, rw, anon)
				s.mremap(page, page, page, keepOld, 8*page)
				s.munmap(8*page, page)
			},
			profile{Persistent: 1, Bytes: 2 * page},
			0,
		},
		"what was there before is unknown": {
			func(s *space) {
				s.munmap(page, page)
				s.mprotect(4*page, page, rw)
				s.mremap(8*page, page, 2*page, move, 20*page)
			},
			profile{},
			0,
		},
		"an event too late shows itself": {
			func(s *space) { s.mmap(page, page, rw, anon); s.mmap(page, page, rw, anon) },
			profile{Persistent: 1, Transient: 1, Bytes: 2 * page},
			1,
		},
		"refused by the kernel": {
			func(s *space) {
				s.mmap(page, page, rw, anon)
				s.munmap(page+1, page)
				s.munmap(page, 0)
				s.munmap(page, 1<<64-page)
			},
			profile{Persistent: 1, Bytes: page},
			0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			total := &totals{}
			s := &space{page: page, total: total}
			c.calls(s)
			s.close()
			if diff := cmp.Diff(c.want, total.Allocations); diff != "" {
				t.Errorf("profile (-want +got):\n%s", diff)
			}
			if total.odd != c.odd {
				t.Errorf("%d odd calls, want %d", total.odd, c.odd)
			}
		})
	}
}
