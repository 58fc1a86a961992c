package count

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// pages is the same profile from single pages.
type pages struct {
	at       map[uint64]cell
	opened   map[int]bool // by mapping
	next     int
	bytes    uint64
	reserved uint64
}

type cell struct {
	mapping int
	open    bool
}

func (m *pages) open(at uint64) {
	if c, there := m.at[at]; there && !c.open {
		c.open, m.opened[c.mapping] = true, true
		m.at[at] = c
		m.bytes += page
		m.reserved -= page
	}
}

func (m *pages) mmap(from, n uint64, prot int, anonymous bool) {
	m.munmap(from, n)
	if !anonymous {
		return
	}
	m.opened[m.next] = false
	for i := range n {
		m.at[from+i] = cell{mapping: m.next}
		m.reserved += page
		if prot != none {
			m.open(from + i)
		}
	}
	m.next++
}

func (m *pages) munmap(from, n uint64) {
	for i := range n {
		delete(m.at, from+i)
	}
}

func (m *pages) mremap(from, n, n2, to uint64, keep bool) {
	moved := make([]*cell, max(n, n2))
	for i := range n {
		if c, there := m.at[from+i]; there {
			moved[i] = &c
			if !keep {
				delete(m.at, from+i)
			} else {
				m.grow(c.open)
			}
		}
	}
	for i := n; i < n2; i++ {
		if moved[i] = moved[n-1]; moved[i] != nil {
			m.grow(moved[i].open)
		}
	}
	m.munmap(to, n2)
	for i := range n2 {
		if moved[i] != nil {
			m.at[to+i] = *moved[i]
		}
	}
}

func (m *pages) grow(open bool) {
	if open {
		m.bytes += page
	} else {
		m.reserved += page
	}
}

func (m *pages) profile() harness.Allocations {
	a := harness.Allocations{Bytes: m.bytes, ReservedBytes: m.reserved}
	live := map[int]bool{}
	for _, c := range m.at {
		live[c.mapping] = true
	}
	for id, open := range m.opened {
		switch {
		case !open:
			a.Reservations++
		case live[id]:
			a.Persistent++
		default:
			a.Transient++
		}
	}
	return a
}

// agree plays the calls that the bytes stand for, five to a call.
func agree(t *testing.T, calls []byte) {
	total := &totals{}
	s := &space{page: page, total: total}
	model := &pages{at: map[uint64]cell{}, opened: map[int]bool{}}
	for ; len(calls) >= 5; calls = calls[5:] {
		from, n := uint64(calls[1]%48), uint64(calls[2]%12)+1
		to, n2 := uint64(calls[3]%48), uint64(calls[4]%12)+1
		prot := int(calls[3] % 2) // PROT_NONE or PROT_READ
		switch calls[0] % 6 {
		case 0, 1:
			s.mmap(from*page, n*page, uint64(prot), fixed)
			model.mmap(from, n, prot, true)
		case 2:
			s.mmap(from*page, n*page, uint64(prot), file)
			model.mmap(from, n, prot, false)
		case 3:
			s.munmap(from*page, n*page)
			model.munmap(from, n)
		case 4:
			s.mprotect(from*page, n*page, uint64(prot))
			for i := range n * uint64(prot) {
				model.open(from + i)
			}
		case 5:
			keep := calls[0] >= 128
			flags := uint64(moveTo)
			if keep {
				flags |= unix.MREMAP_DONTUNMAP
			}
			s.mremap(from*page, n*page, n2*page, flags, to*page)
			model.mremap(from, n, n2, to, keep)
		}
	}
	s.close()
	if diff := cmp.Diff(model.profile(), total.Allocations); diff != "" {
		t.Fatalf("profile (-pages +ours):\n%s", diff)
	}
}

func TestProfileAgreesWithPages(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		calls := make([]byte, 5*random.IntN(60))
		for i := range calls {
			calls[i] = byte(random.Uint32())
		}
		agree(t, calls)
	}
}

func FuzzProfileAgreesWithPages(f *testing.F) {
	f.Add([]byte{0, 1, 10, 1, 0, 3, 4, 1, 0, 0, 5, 1, 2, 30, 9})
	f.Fuzz(agree)
}
