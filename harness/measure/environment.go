package measure

import (
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// Environment describes this machine and process. What cannot be found out is
// left empty: a figure is worth more with half a description than not at all.
// The versions of V8 and libc, and the commit, are the caller's to fill.
func Environment() harness.Environment {
	e := harness.Environment{
		Cores:     runtime.NumCPU(),
		Kernel:    kernel(),
		Go:        runtime.Version(),
		MaxProcs:  runtime.GOMAXPROCS(0),
		Variables: variables(os.Environ()),
		Load:      Load(),
	}
	if list, err := cpu.Info(); err == nil && len(list) > 0 {
		e.CPU = list[0].ModelName
	}
	if m, err := mem.VirtualMemory(); err == nil {
		e.Memory = m.Total
	}
	var stack unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &stack); err == nil && stack.Cur != unix.RLIM_INFINITY {
		e.StackLimit = stack.Cur
	}
	// The chosen one of the settings stands in brackets.
	if text, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err == nil {
		_, chosen, _ := strings.Cut(string(text), "[")
		e.HugePages, _, _ = strings.Cut(chosen, "]")
	}
	return e
}

// Load says how busy the machine is now; zero where that cannot be found out.
func Load() harness.Load {
	var l harness.Load
	if average, err := load.Avg(); err == nil {
		l.Average = average.Load1
	}
	if times, err := cpu.Times(false); err == nil && len(times) > 0 {
		t := times[0]
		l.Steal = seconds(t.Steal)
		// Guests' time is within User.
		l.Busy = seconds(t.User + t.Nice + t.System + t.Irq + t.Softirq)
	}
	return l
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}

// variables picks those of the environment that change how memory and threads
// behave.
func variables(environ []string) map[string]string {
	set := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "GLIBC_TUNABLES", "GOGC", "GOMEMLIMIT", "GODEBUG":
		default:
			if !strings.HasPrefix(name, "MALLOC_") {
				continue
			}
		}
		set[name] = value
	}
	return set
}
