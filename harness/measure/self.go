package measure

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// usage returns this process's use so far. Its maximum of resident memory is
// left out on purpose: a child inherits the parent's.
func usage() (harness.Usage, error) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
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

// resetPeak gives what start-up left behind back to the kernel and sets the
// peak of resident memory back to what is in use now. It reports whether the
// kernel permitted the latter.
func resetPeak() bool {
	debug.FreeOSMemory()
	f, err := os.OpenFile("/proc/self/clear_refs", os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	_, err = f.WriteString("5")
	return f.Close() == nil && err == nil
}

// readMemory fills m with what the kernel says of this process now.
func readMemory(m *harness.Memory) error {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return err
	}
	err = parseStatus(f, m)
	_ = f.Close() // only read
	return err
}

// parseStatus reads the form of /proc/PID/status.
func parseStatus(r io.Reader, m *harness.Memory) error {
	fields := map[string]*uint64{
		"VmHWM": &m.PeakRSS, "VmRSS": &m.RSS, "VmPeak": &m.PeakVirtual, "VmSize": &m.Virtual,
		"VmPTE": &m.PageTables, "Threads": &m.Threads,
	}
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		name, rest, _ := strings.Cut(scan.Text(), ":")
		field := fields[name]
		if field == nil {
			continue
		}
		number, kilo := strings.CutSuffix(strings.TrimSpace(rest), " kB")
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return fmt.Errorf("/proc/self/status, %s: %w", name, err)
		}
		if kilo {
			n <<= 10
		}
		*field = n
		delete(fields, name)
	}
	if err := scan.Err(); err != nil {
		return err
	}
	for name := range fields {
		return fmt.Errorf("/proc/self/status has no %s", name)
	}
	return nil
}
