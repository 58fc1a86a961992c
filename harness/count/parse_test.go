package count

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ddsabench/ddsabench/harness"
	"golang.org/x/sys/unix"
)

func encode(kind, tgid uint32, words ...uint64) []byte {
	e := make([]byte, eventSize)
	binary.NativeEndian.PutUint32(e, kind)
	binary.NativeEndian.PutUint32(e[4:], tgid)
	for i, w := range words {
		binary.NativeEndian.PutUint64(e[8+8*i:], w)
	}
	return e
}

func TestFold(t *testing.T) {
	f := newFold(3)
	for _, e := range [][]byte{
		encode(eventBirth, 1), encode(eventBirth, 1), encode(eventDeath, 1), encode(eventBirth, 2), // 5 at most
		encode(unix.SYS_MMAP, 1, 0, 1<<20, rw, anon, 1<<30),
		encode(unix.SYS_MMAP, 2, 0, 1<<20, rw, anon, 1<<30), // the same address in another process
		encode(unix.SYS_MUNMAP, 2, 1<<30, 1<<20),
		encode(eventExec, 1),
		encode(unix.SYS_MUNMAP, 1, 1<<30, 1<<20), // of the new program, not the mapping above
	} {
		f.add(e)
	}
	c := &harness.Counted{Counts: map[harness.Counter]uint64{}}
	f.finish(c)
	want := harness.Allocations{Persistent: 1, Transient: 1, Bytes: 2 << 20}
	if *c.Allocations != want || c.Counts[harness.AnonymousMaps] != 2 || c.Counts[harness.AnonymousBytes] != 2<<20 {
		t.Errorf("%+v, %v", *c.Allocations, c.Counts)
	}
	if c.PeakThreads != 5 || c.PeakFrom != "BPF events" || len(c.Notes) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestParseFaults(t *testing.T) {
	for stat, want := range map[string]faults{
		"7 (a) R 1 1 1 0 -1 0 10 20 30 40 0":       {30, 70},
		"7 (a) 9 (b)) R 1 1 1 0 -1 0 1 2 3 4 0 0 ": {3, 7},
	} {
		if got, err := parseFaults([]byte(stat)); err != nil || got != want {
			t.Errorf("%q: %+v, %v", stat, got, err)
		}
	}
	for _, stat := range []string{"", "7 (a) R", "7 (a) R 1 1 1 0 -1 0 x 20 30 40"} {
		if got, err := parseFaults([]byte(stat)); err == nil {
			t.Errorf("%q: %+v", stat, got)
		}
	}
}

func TestFindPids(t *testing.T) {
	const (
		v1    = "35 30 0:32 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
		below = "35 30 0:32 /box /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
		v2    = "35 30 0:32 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n"
	)
	for _, c := range []struct{ groups, mounts, want string }{
		{"9:cpu:/x\n8:pids:/\n0::/\n", v1, "/sys/fs/cgroup/pids"},
		{"8:cpu,pids:/a/b\n", v2 + v1, "/sys/fs/cgroup/pids/a/b"},
		{"8:pids:/box/b\n", below, "/sys/fs/cgroup/pids/b"},
		{"8:pids:/other\n", below, "error: the process's group /other is not mounted here"},
		{"0::/user.slice\n", v2, "error: the pids controller of cgroup version 1 is not mounted"},
	} {
		got, err := findPids(strings.NewReader(c.groups), strings.NewReader(c.mounts))
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.groups, c.mounts, got, c.want)
		}
	}
}

func TestWithoutStackCache(t *testing.T) {
	const off = "GLIBC_TUNABLES=glibc.pthread.stack_cache_size=0"
	for _, c := range []struct{ environ, want []string }{
		{[]string{"A=b"}, []string{"A=b", off}},
		{[]string{"GLIBC_TUNABLES=", "A=b"}, []string{"A=b", off}},
		{
			[]string{"GLIBC_TUNABLES=glibc.malloc.arena_max=1", "A=b"},
			[]string{"A=b", "GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.pthread.stack_cache_size=0"},
		},
	} {
		got := WithoutStackCache(c.environ)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.environ, got, c.want)
		}
		if !hasStackCache(c.environ) || hasStackCache(got) {
			t.Errorf("%q on: %v; %q on: %v", c.environ, hasStackCache(c.environ), got, hasStackCache(got))
		}
	}
}
