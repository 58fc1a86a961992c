package measure

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/harness"
)

// How much a relative does when it is told to.
const (
	held     = 64 << 20
	spinning = 150 * time.Millisecond
	threads  = 200
)

// relative is a process that does as it is told, a word at a time, until its
// standard input ends.
func relative(in io.Reader, out io.Writer) error {
	var memory []byte
	for scan := bufio.NewScanner(in); scan.Scan(); fmt.Fprintln(out) {
		switch scan.Text() {
		case "hold":
			memory = make([]byte, held)
			for i := 0; i < len(memory); i += 4096 {
				memory[i] = 1
			}
		case "spin":
			for {
				var u unix.Rusage
				if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
					return err
				}
				if time.Duration(u.Utime.Nano()+u.Stime.Nano()) > spinning {
					break
				}
			}
		case "threads": // each waits once and ends
			for range threads {
				done := make(chan struct{})
				go func() {
					defer close(done)
					runtime.LockOSThread() // not unlocked, so that it ends
					_ = unix.Nanosleep(&unix.Timespec{Nsec: 1}, nil)
				}()
				<-done
			}
		case "fork":
			child := exec.Command(os.Args[0], "child", "relative")
			if _, err := child.StdinPipe(); err != nil {
				return err
			}
			if err := child.Start(); err != nil {
				return err
			}
			defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
		}
	}
	runtime.KeepAlive(memory)
	return nil
}

// A kin is a relative as seen from above.
type kin struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func newKin(t *testing.T) *kin {
	t.Helper()
	k := &kin{Cmd: exec.Command(os.Args[0], "child", "relative")}
	in, err := k.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := k.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Start(); err != nil {
		t.Fatal(err)
	}
	k.in, k.out = in, bufio.NewReader(out)
	t.Cleanup(func() { k.end(t) })
	return k
}

func (k *kin) do(t *testing.T, word string) {
	t.Helper()
	if _, err := fmt.Fprintln(k.in, word); err != nil {
		t.Fatal(err)
	}
	if _, err := k.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

func (k *kin) end(t *testing.T) {
	t.Helper()
	if k.ProcessState != nil {
		return
	}
	_ = k.in.Close() // which ends it
	if err := k.Wait(); err != nil {
		t.Error(err)
	}
}

func TestDescendants(t *testing.T) {
	f := newFamily(os.Getpid(), true)
	k := newKin(t)
	k.do(t, "fork")
	list, err := f.descendants()
	if err != nil || len(list) != 2 || !slices.Contains(list, k.Process.Pid) {
		t.Errorf("descendants %v, %v; want %d and one below it", list, err, k.Process.Pid)
	}
	if list, err := newFamily(k.Process.Pid, true).descendants(); err != nil || len(list) != 1 {
		t.Errorf("of the child: %v, %v", list, err)
	}
	if list, err := newFamily(os.Getpid(), false).descendants(); err != nil || list != nil {
		t.Errorf("of the process alone: %v, %v", list, err)
	}
	late := newKin(t)
	late.do(t, "nothing")
	if list, err := f.descendants(); err != nil || len(list) != 3 || !slices.Contains(list, late.Process.Pid) {
		t.Errorf("descendants %v, %v; want %d too", list, err, late.Process.Pid)
	}
	// A stranger that ended may have left its number to a relative.
	if len(f.strangers) == 0 || f.strangers[os.Getppid()] != inode(os.Getppid()) {
		t.Errorf("strangers %v", f.strangers)
	}
	f.strangers[late.Process.Pid] = 1
	if list, err := f.descendants(); err != nil || !slices.Contains(list, late.Process.Pid) {
		t.Errorf("descendants %v, %v; want %d, whose number a stranger had", list, err, late.Process.Pid)
	}
}

// Memory and threads are those of all processes, and the peak of one that has
// ended is kept.
func TestFamilyMemory(t *testing.T) {
	w := &watcher{family: newFamily(os.Getpid(), true), stride: 1}
	k := newKin(t)
	k.do(t, "nothing")
	var before, with, after harness.Memory
	if err := w.family.readMemory(&before); err != nil {
		t.Fatal(err)
	}
	k.do(t, "hold")
	w.look(time.Now()) // the job has not begun: not kept
	if w.peak != (harness.Memory{}) {
		t.Errorf("peak %+v before the job", w.peak)
	}
	w.noticing(Events{}).Ready()
	w.look(time.Now())
	if err := w.family.readMemory(&with); err != nil {
		t.Fatal(err)
	}
	k.end(t)
	if err := w.family.readMemory(&after); err != nil {
		t.Fatal(err)
	}
	const most = held * 9 / 10 // the kernel's numbers are not exact
	if with.PeakRSS < before.PeakRSS+most || with.RSS < before.RSS+most || with.Virtual < before.Virtual || with.Threads <= after.Threads {
		t.Errorf("before %+v, with the memory %+v, when it ended %+v", before, with, after)
	}
	if after.PeakRSS > with.PeakRSS-most {
		t.Errorf("peak %d after the end, %d before", after.PeakRSS, with.PeakRSS)
	}
	if w.keep(&after); after.PeakRSS < with.PeakRSS-held/10 || after.PeakVirtual < with.PeakVirtual/2 {
		t.Errorf("kept %+v of %+v", after, with)
	}
}

// What processes below use counts while they live and when they have ended.
func TestFamilyUse(t *testing.T) {
	f := newFamily(os.Getpid(), true)
	look := func() use {
		t.Helper()
		u, err := f.use()
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	start := look()
	k := newKin(t)
	k.do(t, "spin")
	k.do(t, "hold")
	k.do(t, "threads")
	living := look()
	k.end(t)
	if err := f.ended(&living); err != nil {
		t.Fatal(err)
	}
	dead := look()
	for when, u := range map[string]use{"living": living, "dead": dead} {
		d := u.sum().Sub(start.sum())
		// Ticks are cut off.
		if used := u.below.User + u.below.System - start.below.User - start.below.System; used < spinning-20*time.Millisecond {
			t.Errorf("%s: used %v, want %v", when, used, spinning)
		}
		if d.MinorFaults < held/4096/2 && d.MinorFaults < 100 { // huge pages need fewer
			t.Errorf("%s: %d faults", when, d.MinorFaults)
		}
		if n := u.below.Voluntary - start.below.Voluntary; n < threads {
			t.Errorf("%s: %d switches, want %d at least", when, n, threads)
		}
	}
	if alone, err := newFamily(os.Getpid(), false).use(); err != nil || alone.below != (harness.Usage{}) {
		t.Errorf("alone: %+v, %v", alone, err)
	}
}

func TestUseGrows(t *testing.T) {
	f := newFamily(os.Getpid(), false)
	before, err := f.use()
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); {
	}
	after, err := f.use()
	if err != nil {
		t.Fatal(err)
	}
	if d := after.sum().Sub(before.sum()); d.User+d.System <= 0 {
		t.Errorf("busy for 20 ms, and used %+v", d)
	}
}

func TestParseStat(t *testing.T) {
	const text = "7 (a) (b c) S 3 7 7 0 -1 4194304 100 20 5 1 40 30 2 1 20 0 1 0 55 1000 200"
	got, err := parseStat([]byte(text))
	if want := (stat{parent: 3, minorFaults: 120, majorFaults: 6, userTicks: 42, systemTicks: 31}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "7 (a) S", strings.Replace(text, "100", "many", 1)} {
		if _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}
