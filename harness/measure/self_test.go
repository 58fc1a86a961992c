package measure

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

func TestParseStatus(t *testing.T) {
	const status = "Name:\tx\nVmPeak:\t 300 kB\nVmSize:\t 200 kB\nVmHWM:\t 90 kB\nVmRSS:\t 80 kB\nVmPTE:\t 7 kB\nThreads:\t5\n"
	var got harness.Memory
	if err := parseStatus(strings.NewReader(status), &got); err != nil {
		t.Fatal(err)
	}
	want := harness.Memory{PeakRSS: 90 << 10, RSS: 80 << 10, PeakVirtual: 300 << 10, Virtual: 200 << 10, PageTables: 7 << 10, Threads: 5}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, bad := range []string{
		"", strings.Replace(status, "VmHWM", "VmHwm", 1), strings.Replace(status, "90 kB", "many kB", 1),
	} {
		if err := parseStatus(strings.NewReader(bad), &harness.Memory{}); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// After the reset the peak is no longer what the process once held.
func TestResetPeak(t *testing.T) {
	held := make([]byte, 64<<20)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	var before, after harness.Memory
	self := newFamily(os.Getpid(), false)
	if err := self.readMemory(&before); err != nil {
		t.Fatal(err)
	}
	held = nil
	if !self.resetPeak() {
		t.Skip("the kernel does not permit it here")
	}
	if err := self.readMemory(&after); err != nil {
		t.Fatal(err)
	}
	if before.PeakRSS < 64<<20 || after.PeakRSS > before.PeakRSS-24<<20 {
		t.Errorf("peak RSS %d before, %d after", before.PeakRSS, after.PeakRSS)
	}
}

func TestSeriesIsThinned(t *testing.T) {
	w := &watcher{stride: 1}
	const looks = 5*maxPoints + 3
	for i := range looks {
		w.add(time.Duration(i), uint64(i), i)
	}
	s := w.series
	if len(s.At) > maxPoints || len(s.At) < maxPoints/2 || w.peakThreads != looks-1 {
		t.Fatalf("%d points, peak %d", len(s.At), w.peakThreads)
	}
	for i := range s.At {
		if s.At[i] != time.Duration(i*w.stride) || s.RSS[i] != uint64(s.At[i]) || s.Threads[i] != int(s.At[i]) {
			t.Fatalf("point %d of stride %d is %v, %d, %d", i, w.stride, s.At[i], s.RSS[i], s.Threads[i])
		}
	}
}

func TestTail(t *testing.T) {
	var w tail
	for range 3000 {
		if n, err := w.Write([]byte("line\n")); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	if _, err := w.Write([]byte("last \xff\n")); err != nil {
		t.Fatal(err)
	}
	got := w.lines()
	if len(got) != tailLines || got[tailLines-1] != "last \uFFFD" || len(w.text) > tailBytes {
		t.Errorf("%d lines, last %q, %d bytes", len(got), got[len(got)-1], len(w.text))
	}
}

func TestEnvironment(t *testing.T) {
	e := Environment()
	if e.Cores < 1 || e.Memory == 0 || !strings.HasPrefix(e.Kernel, "Linux ") || e.Go == "" || e.MaxProcs < 1 {
		t.Errorf("%+v", e)
	}
	got := variables([]string{"GOGC=50", "MALLOC_ARENA_MAX=2", "HOME=/x", "SECRET=y", "GLIBC_TUNABLES=a=b"})
	if len(got) != 3 || got["GLIBC_TUNABLES"] != "a=b" || got["MALLOC_ARENA_MAX"] != "2" {
		t.Errorf("%v", got)
	}
}
