package measure

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
)

// resetPeak gives what start-up left behind back to the kernel and sets the
// peak of resident memory back to what is in use now, in all processes of the
// family. It reports whether the kernel permitted the latter.
func (f *family) resetPeak() bool {
	debug.FreeOSMemory()
	below, err := f.descendants()
	permitted := err == nil
	for _, pid := range append(below, f.root) {
		err := os.WriteFile(procFile(pid, "clear_refs"), []byte("5"), 0)
		permitted = permitted && (err == nil || gone(err))
	}
	return permitted
}

// readMemory fills m with what the kernel says of the family now: sums over its
// processes.
func (f *family) readMemory(m *harness.Memory) error {
	below, err := f.descendants()
	if err != nil {
		return err
	}
	sum := harness.Memory{PeakReset: m.PeakReset}
	for _, pid := range append(below, f.root) {
		one, err := readStatus(pid)
		if pid != f.root && gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		sum.PeakRSS += one.PeakRSS
		sum.RSS += one.RSS
		sum.PeakVirtual += one.PeakVirtual
		sum.Virtual += one.Virtual
		sum.PageTables += one.PageTables
		sum.Threads += one.Threads
	}
	*m = sum
	return nil
}

// errNoMemory is a process without memory: it has ended, and nobody has waited
// for it.
var errNoMemory = errors.New("no memory")

// readStatus reads /proc/PID/status.
func readStatus(pid int) (harness.Memory, error) {
	var m harness.Memory
	f, err := os.Open(procFile(pid, "status"))
	if err != nil {
		return m, err
	}
	err = parseStatus(f, &m)
	_ = f.Close() // only read
	if err != nil {
		err = fmt.Errorf("%s: %w", procFile(pid, "status"), err)
	}
	return m, err
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
			return fmt.Errorf("%s: %w", name, err)
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
		return fmt.Errorf("%w: it has no %s", errNoMemory, name)
	}
	return nil
}
