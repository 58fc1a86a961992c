package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/ddsa"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/legacy"
)

// peerName is the argument that makes the test binary a peer.
const peerName = "_peer"

// A peerResult is what a peer prints.
type peerResult struct {
	Executions int   `json:"executions"`
	NS         int64 `json:"ns"`
	Total      int   `json:"total"`   // executions, those to warm up included
	Threads    int   `json:"threads"` // alive at the end
	PeakKiB    int   `json:"peakKiB"` // of resident memory
}

// A peer runs a script that does nothing, in a process of its own, on one thread.
type peer struct {
	name string
	args []string
}

// TestPeers prints how Node.js's vm and our executors do the same work. It is
// not a test: it asserts nothing about time.
func TestPeers(t *testing.T) {
	if os.Getenv("PEERS") == "" {
		t.Skip("prints figures for some 20 seconds: make peers")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	peers := []peer{
		{"ours, none", []string{self, peerName, ddsabench.None}},
		{"ours, ddsa", []string{self, peerName, ddsa.Name}},
		{"ours, legacy", []string{self, peerName, legacy.Name}},
	}
	node, err := exec.LookPath("node")
	if err != nil {
		fmt.Println("node is missing: no figures for its vm")
	} else {
		script := filepath.Join("peers", "vm.js")
		peers = append(peers, peer{"node vm", []string{node, script, "vm"}}, peer{"node vm, timeout", []string{node, script, "vm+timeout"}})
		version, err := exec.CommandContext(t.Context(), node, "--version").Output()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("node %s, ours on V8 %s\n", strings.TrimSpace(string(version)), ddsabench.V8Version())
	}
	if err := comparePeers(t, peers).print(os.Stdout); err != nil {
		t.Fatal(err)
	}
}

// comparePeers runs the peers in rounds.
func comparePeers(t *testing.T, peers []peer) *table {
	const rounds, length = 5, 500 * time.Millisecond
	rates, made := make([][]float64, len(peers)), make([][]float64, len(peers))
	last := make([]peerResult, len(peers))
	for range rounds {
		for i, p := range peers {
			before := threadsMade(t)
			r := p.run(t, length)
			made[i] = append(made[i], float64(threadsMade(t)-before)/float64(r.Total))
			rates[i] = append(rates[i], float64(r.Executions)/(float64(r.NS)/1e9))
			last[i] = r
		}
	}
	figures := &table{
		title:  fmt.Sprintf("A script that does nothing, one thread, %d rounds of %v (medians)", rounds, length),
		header: []string{"runner", "executions/s", "each", "times the last row", "threads made per execution", "threads at the end", "peak memory"},
	}
	base := median(rates[len(peers)-1])
	for i, p := range peers {
		rate := median(rates[i])
		figures.add(p.name, fmt.Sprintf("%.0f", rate), duration(1e9/rate), fmt.Sprintf("%.3g", rate/base),
			fmt.Sprintf("%.2f", median(made[i])), strconv.Itoa(last[i].Threads), fmt.Sprintf("%.0f MiB", float64(last[i].PeakKiB)/1024))
	}
	return figures
}

func (p peer) run(t *testing.T, length time.Duration) (r peerResult) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, p.args[0], append(p.args[1:], strconv.FormatInt(length.Milliseconds(), 10))...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	if err := json.Unmarshal(out, &r); err != nil || r.Executions <= 0 || r.NS <= 0 || r.Total < r.Executions {
		t.Fatalf("%s: %q, error %v", p.name, out, err)
	}
	return r
}

// threadsMade is how many threads and processes the whole system has made since
// boot: what others make meanwhile counts too, which is little beside those of
// a thread per execution.
func threadsMade(t *testing.T) int {
	t.Helper()
	n, err := readNumber("/proc/stat", "processes")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// readNumber reads the number after a name at the start of a line.
func readNumber(path, name string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(`(?m)^` + name + `:?\s+(\d+)`).FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%s: no line %q", path, name)
	}
	return strconv.Atoi(string(found[1]))
}

// playPeer is what vm.js does, with an executor: args are its name and a number of
// milliseconds.
func playPeer(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: EXECUTOR MILLISECONDS")
	}
	milliseconds, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	e, err := ddsabench.NewArm(args[0], executor.DefaultLimits())
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	length := time.Duration(milliseconds) * time.Millisecond
	warmUp, err := runFor(e, length/5)
	if err != nil {
		return err
	}
	r, err := runFor(e, length)
	if err != nil {
		return err
	}
	r.Total = warmUp.Executions + r.Executions
	if r.Threads, err = readNumber("/proc/self/status", "Threads"); err != nil {
		return err
	}
	if r.PeakKiB, err = readNumber("/proc/self/status", "VmHWM"); err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(out).Encode(r), e.Close())
}

// runFor runs the no-op rule for a while.
func runFor(e executor.Executor, length time.Duration) (r peerResult, err error) {
	stays, leave := executor.Stay(e)
	defer leave()
	const batch = 100
	begin := time.Now()
	for time.Since(begin) < length {
		for range batch {
			if _, err := stays.Execute(context.Background(), noop.rule, noop.file); err != nil {
				return r, err
			}
		}
		r.Executions += batch
	}
	r.NS = time.Since(begin).Nanoseconds()
	return r, nil
}

// A peer of ours says what came of it.
func TestPlayPeer(t *testing.T) {
	var out strings.Builder
	if err := playPeer([]string{ddsa.Name, "20"}, &out); err != nil {
		t.Fatal(err)
	}
	var r peerResult
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil || r.Executions < 100 || r.NS < 20e6 || r.Threads < 2 || r.PeakKiB == 0 {
		t.Errorf("%+v, error %v", r, err)
	}
	if err := playPeer([]string{"unknown", "20"}, &out); err == nil {
		t.Error("no error for an unknown executor")
	}
}
