package measure

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// A use is what a family used so far: this process, and those below it.
type use struct{ own, below harness.Usage }

func (u use) sum() harness.Usage {
	a, b := u.own, u.below
	return harness.Usage{
		User: a.User + b.User, System: a.System + b.System,
		MinorFaults: a.MinorFaults + b.MinorFaults, MajorFaults: a.MajorFaults + b.MajorFaults,
		Voluntary: a.Voluntary + b.Voluntary, Involuntary: a.Involuntary + b.Involuntary,
	}
}

// use returns what the family, whose root is this process, used so far. Of a
// living process below, times are known to ten milliseconds, and switches only
// of the threads that live: see ended.
func (f *family) use() (use, error) {
	var u use
	var err error
	if u.own, err = rusage(unix.RUSAGE_SELF); err != nil || !f.below {
		return u, err
	}
	// A process that is waited for between the two looks would be in neither.
	for range looks {
		dead, err := rusage(unix.RUSAGE_CHILDREN)
		if err != nil {
			return u, err
		}
		if u.below, err = f.living(dead); err != nil {
			return u, err
		}
		if again, err := rusage(unix.RUSAGE_CHILDREN); err != nil || again == dead {
			return u, err
		}
	}
	return u, nil // children end all the time: as near as it gets
}

// looks bounds the looks at children that keep ending.
const looks = 10

// living adds to u what the living processes below used.
func (f *family) living(u harness.Usage) (harness.Usage, error) {
	list, err := f.descendants()
	if err != nil {
		return u, err
	}
	for _, pid := range list {
		// What a process has waited for is in its own figures.
		s, err := readStat(pid)
		if gone(err) {
			continue
		}
		if err != nil {
			return u, err
		}
		voluntary, involuntary, err := switches(pid)
		if err != nil && !gone(err) {
			return u, err
		}
		u.User += ticks(s.userTicks)
		u.System += ticks(s.systemTicks)
		u.MinorFaults += s.minorFaults
		u.MajorFaults += s.majorFaults
		u.Voluntary += voluntary
		u.Involuntary += involuntary
	}
	return u, nil
}

// ended completes what was used until the end of a job when the processes below
// have ended and were waited for. Only then the kernel tells the switches of
// their threads that ended; those of the processes' own end are among them.
func (f *family) ended(u *use) error {
	if !f.below {
		return nil
	}
	dead, err := rusage(unix.RUSAGE_CHILDREN)
	if err != nil {
		return err
	}
	u.below.Voluntary = max(u.below.Voluntary, dead.Voluntary)
	u.below.Involuntary = max(u.below.Involuntary, dead.Involuntary)
	return nil
}

// rusage leaves the maximum of resident memory out on purpose: a child inherits
// its parent's.
func rusage(who int) (harness.Usage, error) {
	var r unix.Rusage
	if err := unix.Getrusage(who, &r); err != nil {
		return harness.Usage{}, fmt.Errorf("getrusage: %w", err)
	}
	return harness.Usage{
		User:        time.Duration(r.Utime.Nano()),
		System:      time.Duration(r.Stime.Nano()),
		MinorFaults: uint64(r.Minflt),
		MajorFaults: uint64(r.Majflt),
		Voluntary:   uint64(r.Nvcsw),
		Involuntary: uint64(r.Nivcsw),
	}, nil
}

// ticks are of ten milliseconds on every machine that Go runs on.
func ticks(n uint64) time.Duration { return time.Duration(n) * 10 * time.Millisecond }

// switches are those of a process's living threads.
func switches(pid int) (voluntary, involuntary uint64, err error) {
	threads, err := filepath.Glob(procFile(pid, "task/*/status"))
	if err != nil {
		return 0, 0, err
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if gone(err) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, ":")
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			switch key {
			case "voluntary_ctxt_switches":
				voluntary += n
			case "nonvoluntary_ctxt_switches":
				involuntary += n
			default:
				continue
			}
			if err != nil {
				return 0, 0, errors.Join(fmt.Errorf("%s: %s", name, key), err)
			}
		}
	}
	return voluntary, involuntary, nil
}
