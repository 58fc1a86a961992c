package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A family is a sample's process and, if the sample's executors live in
// processes of their own, all processes below it. These need not do or tell
// anything to be counted. It is for one goroutine.
type family struct {
	root int
	// below is false where the process alone is meant, which costs less.
	below bool
	// strangers are processes that were seen to belong to others, with the inode
	// of their folder in /proc: a later process of that number has another. To
	// compare start times, all would have to be read each time.
	strangers map[int]uint64
}

func newFamily(root int, below bool) *family {
	return &family{root, below, map[int]uint64{}}
}

// descendants are the living processes below the root, in no certain order, the
// dead that nobody has waited for included.
func (f *family) descendants() ([]int, error) {
	if !f.below {
		return nil, nil
	}
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	names, err := proc.Readdirnames(-1)
	_ = proc.Close() // only read
	if err != nil {
		return nil, err
	}
	parents := map[int]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if seen, there := f.strangers[pid]; there && seen == inode(pid) {
			continue
		}
		s, err := readStat(pid)
		if err != nil {
			continue // it has ended
		}
		parents[pid] = s.parent
	}
	var list []int
	for pid := range parents {
		ancestor := parents[pid]
		for ancestor != f.root && parents[ancestor] != 0 {
			ancestor = parents[ancestor]
		}
		switch {
		case ancestor == f.root:
			list = append(list, pid)
		case pid != f.root:
			f.strangers[pid] = inode(pid)
		}
	}
	return list, nil
}

// inode is that of the process's folder; 0 if it has ended.
func inode(pid int) uint64 {
	var s unix.Stat_t
	if err := unix.Lstat(procFile(pid, ""), &s); err != nil {
		return 0
	}
	return s.Ino
}

// A stat is what is used of /proc/PID/stat. Faults and times are those of all
// its threads, also of those that ended, and of children that it waited for.
type stat struct {
	parent                   int
	minorFaults, majorFaults uint64
	userTicks, systemTicks   uint64
}

func readStat(pid int) (stat, error) {
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return stat{}, err
	}
	s, err := parseStat(text)
	if err != nil {
		return s, fmt.Errorf("%s: %w", procFile(pid, "stat"), err)
	}
	return s, nil
}

// parseStat reads the form of /proc/PID/stat. The second field is the program's
// name in brackets and may contain anything.
func parseStat(text []byte) (stat, error) {
	const first = 3 // the number of the field after the name
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var bad error
	sum := func(numbers ...int) (n uint64) {
		for _, number := range numbers {
			if number-first >= len(fields) {
				bad = errors.Join(bad, fmt.Errorf("has no field %d", number))
				continue
			}
			value, err := strconv.ParseUint(fields[number-first], 10, 64)
			bad = errors.Join(bad, err)
			n += value
		}
		return n
	}
	s := stat{
		parent:      int(sum(4)),
		minorFaults: sum(10, 11), majorFaults: sum(12, 13),
		userTicks: sum(14, 16), systemTicks: sum(15, 17),
	}
	return s, bad
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// gone says whether err comes of a process that has ended.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) || errors.Is(err, errNoMemory)
}
