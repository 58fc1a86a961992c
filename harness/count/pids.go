package count

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// A pidsGroup is a cgroup of the pids controller for one process and what it
// makes. The kernel keeps the group's largest number of threads. Only the
// controller of version 1 is used: with version 2 the process would have to
// leave all limits of its present group.
type pidsGroup struct{ dir string }

// newPidsGroup moves the process, with all its threads, into a group below its
// own.
func newPidsGroup(pid int) (_ *pidsGroup, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("pids cgroup for the peak of threads: %w", err)
		}
	}()
	g, err := emptyPidsGroup(pid)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(g.file("cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
		return nil, errors.Join(err, g.remove())
	}
	return g, nil
}

// emptyPidsGroup makes a group below the process's own.
func emptyPidsGroup(pid int) (*pidsGroup, error) {
	parent, err := pidsFolder(pid)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, "ddsabench-")
	if errors.Is(err, os.ErrPermission) {
		return nil, fmt.Errorf("%w; run as root, or own the group %s", os.ErrPermission, parent)
	}
	if err != nil {
		return nil, err
	}
	g := &pidsGroup{dir}
	if _, err := g.peak(); err != nil {
		return nil, errors.Join(err, g.remove())
	}
	return g, nil
}

// stop reads the peak and removes the group. A nil group does nothing.
func (g *pidsGroup) stop(c *harness.Counted) error {
	if g == nil {
		return nil
	}
	peak, err := g.peak()
	if err == nil {
		c.PeakThreads, c.PeakFrom = peak, "pids cgroup"
	}
	return errors.Join(err, g.remove())
}

func (g *pidsGroup) file(name string) string { return filepath.Join(g.dir, name) }

func (g *pidsGroup) peak() (uint64, error) {
	text, err := os.ReadFile(g.file("pids.peak"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, errors.New("this kernel does not keep pids.peak, it needs Linux 6.11")
	}
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
}

// remove removes the group. Processes that outlive the counted one go back to
// where it came from.
func (g *pidsGroup) remove() error {
	left, err := os.ReadFile(g.file("cgroup.procs"))
	if err != nil {
		return err
	}
	for id := range strings.FieldsSeq(string(left)) {
		err := os.WriteFile(filepath.Join(g.dir, "..", "cgroup.procs"), []byte(id), 0)
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended meanwhile
			return err
		}
	}
	return os.Remove(g.dir)
}

// pidsFolder is the folder of the process's group.
func pidsFolder(pid int) (string, error) {
	groups, err := os.ReadFile(procFile(pid, "cgroup"))
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	return findPids(bytes.NewReader(groups), bytes.NewReader(mounts))
}

// findPids reads the forms of /proc/PID/cgroup and /proc/PID/mountinfo.
func findPids(groups, mounts io.Reader) (string, error) {
	var group string
	for scan := bufio.NewScanner(groups); scan.Scan(); {
		parts := strings.SplitN(scan.Text(), ":", 3) // number, controllers, path
		if len(parts) == 3 && has(parts[1], "pids") {
			group = parts[2]
		}
	}
	for scan := bufio.NewScanner(mounts); scan.Scan() && group != ""; {
		mount, system, _ := strings.Cut(scan.Text(), " - ")
		m, s := strings.Fields(mount), strings.Fields(system)
		if len(m) < 5 || len(s) < 3 || s[0] != "cgroup" || !has(s[2], "pids") {
			continue
		}
		// m[3] is the group that is mounted at m[4].
		below, err := filepath.Rel(m[3], group)
		if err != nil || !filepath.IsLocal(below) {
			return "", fmt.Errorf("the process's group %s is not mounted here", group)
		}
		return filepath.Join(m[4], below), nil
	}
	return "", errors.New("the pids controller of cgroup version 1 is not mounted")
}

// has reports whether a list with commas has the item.
func has(list, item string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one == item {
			return true
		}
	}
	return false
}
