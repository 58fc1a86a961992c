package count

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/harness"
)

const traced = "trace=clone,clone3,fork,vfork,mmap,munmap,mremap,brk,madvise,mprotect"

// Strace and BPF watch one and the same run, and agree exactly.
func TestAgreesWithStrace(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed; apt-get install strace")
	}
	need(t, harness.BPF)
	for name, environ := range map[string][]string{
		"stack cache on":  os.Environ(),
		"stack cache off": WithoutStackCache(os.Environ()),
	} {
		t.Run(name, func(t *testing.T) { compareWithStrace(t, environ) })
	}
}

func compareWithStrace(t *testing.T, environ []string) {
	file := filepath.Join(t.TempDir(), "strace")
	var strace *exec.Cmd
	var begun time.Time
	got := countChild(t, 200, Options{}, environ,
		func(pid int) { strace = attachStrace(t, pid, file) },
		func(int) { begun = time.Now() })
	if err := strace.Wait(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	want, killed, err := readStrace(f, begun)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for name := range want {
		// Exact, but for a thread that was killed on its way into the kernel.
		between(t, string(name), got.Counts[name], want[name], killed[name])
	}
	if want[harness.ThreadsCreated] < 200 || want[harness.AnonymousBytes] == 0 {
		t.Errorf("strace saw too little: %v", want)
	}
	t.Logf("both: %v; killed in a call: %v", want, killed)
}

// attachStrace returns when strace holds all the process's threads.
func attachStrace(t *testing.T, pid int, file string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("strace", "-f", "-ttt", "-e", traced, "-e", "signal=none", "-o", file, "-p", strconv.Itoa(pid))
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if the test fails half-way
	said, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.Contains(said, "attached") {
		_ = cmd.Wait()
		t.Skipf("strace may not trace here: %s%v", said, err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return cmd
}

// readStrace counts what strace -f -ttt wrote since begun: calls, and apart from
// them calls without a result. In these the process's end came upon a thread, in
// the call or before the kernel began with it; strace does not say which.
func readStrace(r io.Reader, begun time.Time) (counts, killed map[harness.Counter]uint64, err error) {
	killed = map[harness.Counter]uint64{}
	counts = map[harness.Counter]uint64{
		harness.ThreadsCreated: 0, harness.ProcessesCreated: 0,
		harness.Mmap: 0, harness.Munmap: 0, harness.Mremap: 0, harness.Brk: 0, harness.Madvise: 0, harness.Mprotect: 0,
		harness.AnonymousMaps: 0, harness.AnonymousBytes: 0,
	}
	started := map[string]string{} // by thread, what is not finished
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		thread, rest, _ := strings.Cut(scan.Text(), " ")
		stamp, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
		at, err := strconv.ParseFloat(stamp, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("%q: %w", scan.Text(), err)
		}
		if at < float64(begun.UnixMicro())/1e6 || strings.HasPrefix(text, "+++") {
			continue
		}
		if head, cut := strings.CutSuffix(text, " <unfinished ...>"); cut {
			started[thread] = head
			continue
		}
		if _, tail, resumed := strings.Cut(text, " resumed>"); resumed {
			text = started[thread] + tail
			delete(started, thread)
		}
		if head, cut := strings.CutSuffix(text, " = ?"); cut {
			killed[callName(head)]++
		} else if err := addStrace(counts, text); err != nil {
			return nil, nil, err
		}
	}
	for _, head := range started {
		killed[callName(head)]++
	}
	return counts, killed, scan.Err()
}

func callName(text string) harness.Counter {
	name, _, _ := strings.Cut(text, "(")
	return harness.Counter(name)
}

// addStrace counts one whole call: name(arguments) = result.
func addStrace(counts map[harness.Counter]uint64, text string) error {
	name, rest, _ := strings.Cut(text, "(")
	equals := strings.LastIndex(rest, " = ")
	if equals < 0 || len(rest) == equals+3 {
		return fmt.Errorf("%q: not a call", text)
	}
	result := rest[equals+3:]
	failed := result[0] == '-' || result[0] == '?' // ? is interrupted, to be made again
	switch {
	case strings.HasPrefix(name, "clone") || strings.HasSuffix(name, "fork"):
		if failed {
			return nil
		}
		if strings.Contains(rest, "CLONE_THREAD") {
			counts[harness.ThreadsCreated]++
		} else {
			counts[harness.ProcessesCreated]++
		}
		return nil
	case name == "mmap" && strings.Contains(rest, "MAP_ANONYMOUS") && !failed:
		length, err := strconv.ParseUint(strings.Split(rest, ", ")[1], 10, 64)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		page := uint64(os.Getpagesize())
		counts[harness.AnonymousMaps]++
		counts[harness.AnonymousBytes] += (length + page - 1) / page * page
	}
	counts[harness.Counter(name)]++
	return nil
}
