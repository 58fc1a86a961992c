package count

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
)

// procSource has nothing of its own: faults and the peak of threads are
// counted with every source.
type procSource struct{}

func startProc(pid int) (source, error) {
	if _, err := readFaults(pid); err != nil {
		return nil, err
	}
	return procSource{}, nil
}

func (procSource) stop(*harness.Counted) error { return nil }

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// faults of a process and of its children that it has waited for.
type faults struct{ minor, major uint64 }

// readFaults also reads those of a process that has ended and was not waited
// for.
func readFaults(pid int) (faults, error) {
	name := procFile(pid, "stat")
	text, err := os.ReadFile(name)
	if err != nil {
		return faults{}, err
	}
	f, err := parseFaults(text)
	if err != nil {
		return faults{}, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// parseFaults reads the form of /proc/PID/stat. The second field is the
// program's name in brackets and may contain anything.
func parseFaults(stat []byte) (faults, error) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const first = 3 // the number of the field after the name
	var values [4]uint64
	for i := range values {
		at := 10 + i - first // minflt, cminflt, majflt, cmajflt
		if at >= len(fields) {
			return faults{}, fmt.Errorf("has only %d fields", len(fields)+first-1)
		}
		var err error
		if values[i], err = strconv.ParseUint(fields[at], 10, 64); err != nil {
			return faults{}, fmt.Errorf("field %d: %w", 10+i, err)
		}
	}
	return faults{minor: values[0] + values[1], major: values[2] + values[3]}, nil
}

// tasks returns the ids of the process's threads.
func tasks(pid int) ([]int, error) {
	entries, err := os.ReadDir(procFile(pid, "task"))
	if err != nil {
		return nil, err
	}
	ids := make([]int, len(entries))
	for i, e := range entries {
		if ids[i], err = strconv.Atoi(e.Name()); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func countThreads(pid int) (uint64, error) {
	ids, err := tasks(pid)
	return uint64(len(ids)), err
}
