package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// startServer starts the command and returns its address, and a function that
// has it end and returns its exit code and log.
func startServer(t *testing.T, args ...string) (address string, stop func() (int, string)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ddsabench",
		append([]string{"serve", "--listen", "127.0.0.1:0", "--drain-delay", "0"}, args...)...)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var log []string
	lines := bufio.NewScanner(pipe)
	for address == "" && lines.Scan() {
		log = append(log, lines.Text())
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			address = line.Address
		}
	}
	// A server whose log nobody reads stops.
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines.Scan() {
			log = append(log, lines.Text())
		}
	}()
	if address == "" {
		<-read
		t.Fatalf("the server did not start: %v\n%s", cmd.Wait(), strings.Join(log, "\n"))
	}
	return address, func() (int, string) {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-read
		_ = cmd.Wait() // the code says more
		return cmd.ProcessState.ExitCode(), strings.Join(log, "\n")
	}
}

var milliseconds = regexp.MustCompile(`"execution_time_ms": ?\d+`)

// The requests in README work with curl as they stand, but for the port, and
// give the answer that stands below them.
func TestREADMERequests(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Server\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string // the indented ones
	for _, part := range strings.Split(section, "\n\n") {
		if block, ok := strings.CutPrefix(part, "    "); ok {
			blocks = append(blocks, strings.ReplaceAll(block, "\n    ", "\n"))
		}
	}
	address, stop := startServer(t)
	requests := 0
	for i, block := range blocks {
		if !strings.HasPrefix(block, "curl ") {
			continue
		}
		requests += strings.Count(block, "curl ")
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(block, "127.0.0.1:8080", address))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", block, err, out)
		}
		if i+1 < len(blocks) && strings.HasPrefix(blocks[i+1], "{") {
			var got, want any
			if err := json.Unmarshal(milliseconds.ReplaceAll(out, []byte(`"execution_time_ms": 0`)), &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if err := json.Unmarshal([]byte(blocks[i+1]), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\nwant -, got +:\n%s", block, diff)
			}
		} else if !strings.Contains(string(out), "ddsabench_executions_total") || !strings.Contains(string(out), "\nready\n") {
			t.Errorf("%s\n%s", block, out)
		}
	}
	if requests != 6 {
		t.Errorf("%d requests in %q", requests, blocks)
	}
	if code, text := stop(); code != exitOK || !strings.Contains(text, `"msg":"draining"`) || !strings.HasSuffix(text, `"msg":"ended"}`) {
		t.Errorf("code %d\n%s", code, text)
	}
}

// The server takes loopback addresses only, unless told otherwise.
func TestListenAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.1.2.3:0": true, "[::1]:80": true, "localhost:8080": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:80": false, "192.168.1.1:80": false, "example.com:80": false,
		"localhost.example.com:80": false,
	} {
		if err := checkAddress(address, false); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
		if err := checkAddress(address, true); err != nil {
			t.Errorf("%s, remote allowed: %v", address, err)
		}
	}
	if err := checkAddress("8080", true); err == nil {
		t.Error("no error without a host")
	}
}

// A second server on the same port is told so.
func TestPortTaken(t *testing.T) {
	address, stop := startServer(t, "--isolation", "thread", "--workers", "1")
	if code, _, stderr := call(t, t.Context(), "serve", "--listen", address); code != exitUsage || !strings.Contains(stderr, "address already in use") {
		t.Errorf("code %d: %s", code, stderr)
	}
	if answer, err := http.Get("http://" + address + "/healthz"); err != nil || answer.StatusCode != http.StatusOK {
		t.Error(err)
	} else {
		answer.Body.Close()
	}
	if code, text := stop(); code != exitOK {
		t.Errorf("code %d\n%s", code, text)
	}
}
