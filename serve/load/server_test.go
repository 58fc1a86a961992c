package load

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v3/process"
)

// A server is the program in a process of its own, with its flag in a file.
type server struct {
	t    *testing.T
	url  string
	file string
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// startServer builds and starts the program. Its end before stop is an error.
func startServer(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "ddsabench")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "../../cmd/ddsabench")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := &server{t: t, file: filepath.Join(dir, "flag.yaml"), done: make(chan struct{})}
	s.set("runtime: legacy")
	s.cmd = exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--drain-delay", "0")
	s.cmd.Env = append(os.Environ(), "DDSA_RUNTIME=", "DDSA_RUNTIME_KILL=", "DDSA_RUNTIME_FILE="+s.file)
	log, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(log)
	for s.url == "" && lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			s.url = "http://" + line.Address
		}
	}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(io.Discard, log)
		s.err = s.cmd.Wait()
	}()
	if s.url == "" {
		<-s.done
		t.Fatal("the server did not start: ", s.err)
	}
	t.Cleanup(s.stop)
	return s
}

// stop tells the server to end, which it has to do well.
func (s *server) stop() {
	select {
	case <-s.done:
		s.t.Errorf("the server ended on its own: %v", s.err)
		return
	default:
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.done:
		if s.err != nil {
			s.t.Errorf("the server ended with %v", s.err)
		}
	case <-time.After(time.Minute):
		_ = s.cmd.Process.Kill()
		s.t.Error("the server did not end")
	}
}

// set puts text into the flag's file, in one step.
func (s *server) set(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.file+".new", []byte(text+"\n"), 0o666); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.file+".new", s.file); err != nil {
		s.t.Fatal(err)
	}
}

// settle sets the flag, waits until the server has seen it, and returns how
// long that took.
func (s *server) settle(text string, seen func(decision) bool) time.Duration {
	s.t.Helper()
	s.set(text)
	start := time.Now()
	for !seen(s.decision()) {
		if time.Since(start) > time.Minute {
			s.t.Fatalf("the server does not see %q", text)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(start)
}

// A decision is what /runtime says.
type decision struct{ Executor, Variant, Setting, Source string }

func (s *server) decision() decision {
	s.t.Helper()
	answer, err := http.Get(s.url + "/runtime?key=some")
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	var status struct{ Decision decision }
	if err := json.NewDecoder(answer.Body).Decode(&status); err != nil {
		s.t.Fatal(err)
	}
	return status.Decision
}

// metric is the sum of a metric over the labels that contain each of some texts.
func (s *server) metric(name string, labels ...string) float64 {
	s.t.Helper()
	answer, err := http.Get(s.url + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	sum := 0.0
	lines := bufio.NewScanner(answer.Body)
next:
	for lines.Scan() {
		at := strings.LastIndexByte(lines.Text(), ' ') // labels may hold spaces
		key, value := lines.Text()[:at], lines.Text()[at+1:]
		if got, _, _ := strings.Cut(key, "{"); got != name {
			continue
		}
		for _, l := range labels {
			if !strings.Contains(key, l) {
				continue next
			}
		}
		var n float64
		if err := json.Unmarshal([]byte(value), &n); err != nil {
			s.t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// A usage is what the server and its worker processes hold.
type usage struct {
	rss     uint64
	threads int
}

// watch samples the usage until the function is called, which returns the
// median of each figure.
func (s *server) watch() (stop func() usage) {
	var rss []uint64
	var threads []int
	end := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			if u, ok := s.usage(); ok {
				rss, threads = append(rss, u.rss), append(threads, u.threads)
			}
			select {
			case <-end:
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
	return func() usage {
		close(end)
		wait.Wait()
		return usage{median(rss), median(threads)}
	}
}

func (s *server) usage() (u usage, ok bool) {
	root, err := process.NewProcess(int32(s.cmd.Process.Pid))
	if err != nil {
		return u, false
	}
	children, _ := root.Children() // there may be none
	for _, p := range append(children, root) {
		memory, err := p.MemoryInfo()
		threads, err2 := p.NumThreads()
		if err == nil && err2 == nil {
			u.rss += memory.RSS
			u.threads += int(threads)
		}
	}
	return u, true
}
