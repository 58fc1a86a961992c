package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is far more than anything here takes.
const patience = time.Minute

// A loop for ever, or as long as the rule's limit.
func endless(t *testing.T) (rule string) {
	t.Helper()
	return writeFile(t, t.TempDir(), "loop.yaml",
		ruleFile("loop", "JAVASCRIPT", "(program) @p", "function visit() { for (;;) {} }"))
}

// start starts the command and returns its standard error up to the first line
// that contains until.
func start(t *testing.T, stdout *os.File, until string, args ...string) (cmd *exec.Cmd, stderr *bufio.Scanner) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, "ddsabench", args...)
	cmd.Dir, cmd.Stdout = t.TempDir(), stdout
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stderr = bufio.NewScanner(pipe)
	for stderr.Scan() {
		if strings.Contains(stderr.Text(), until) {
			return cmd, stderr
		}
	}
	t.Fatalf("%q did not say %q", args, until)
	return nil, nil
}

// rest reads what is left and waits for the exit code, -1 for a signal's.
func rest(t *testing.T, cmd *exec.Cmd, stderr *bufio.Scanner) (code int, text string) {
	t.Helper()
	var lines []string
	for stderr.Scan() {
		lines = append(lines, stderr.Text())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode(), strings.Join(lines, "\n")
}

// An interrupted analysis leaves the file at --out as it was.
func TestInterruptAnalyze(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := t.TempDir()
		src := filepath.Join(dir, "src")
		writeFile(t, src, "one.js", "1")
		if err := os.Symlink("nowhere", filepath.Join(src, "dangling.js")); err != nil {
			t.Fatal(err)
		}
		out := writeFile(t, dir, "report", "as it was")
		// The line about the link is the last one before the work.
		cmd, stderr := start(t, nil, "rest is analyzed", "analyze", src,
			"--rules", endless(t), "--rule-timeout", "0", "--out", out)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		code, text := rest(t, cmd, stderr)
		if code != exitInterrupted || text != "ddsabench: interrupted" {
			t.Errorf("%v: code %d, %q", sig, code, text)
		}
		if got, err := os.ReadFile(out); string(got) != "as it was" {
			t.Errorf("%v: --out holds %q, %v", sig, got, err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 2 {
			t.Errorf("%v: left behind: %v", sig, files)
		}
	}
}

// An interrupted comparison keeps and reports what was measured.
func TestInterruptCompare(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	writeFile(t, src, "one.js", "1")
	record, out := filepath.Join(dir, "raw.jsonl"), filepath.Join(dir, "report")
	cmd, stderr := start(t, nil, "sample 3 of 200:", "compare", "--corpus", src, "--rounds", "100", "--warmup", "0", "--count", "off",
		"--record", record, "--out", out)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	code, text := rest(t, cmd, stderr)
	if code != exitInterrupted || !strings.HasSuffix(text, "raw samples: "+record+"\nddsabench: interrupted") {
		t.Errorf("code %d\n%s", code, text)
	}
	for path, want := range map[string][]string{
		out:    {"INTERRUPTED: the figures are those of the ", "wall clock"},
		record: {`{"sample":{"round":0,"position":1,`, `"interrupted":true`},
	} {
		got, err := os.ReadFile(path)
		for _, w := range want {
			if !strings.Contains(string(got), w) {
				t.Errorf("%s, %v: no %q in\n%s", filepath.Base(path), err, w, got)
			}
		}
	}
}

// A second signal ends a command that does not heed the first: here, because
// nobody reads its output.
func TestSecondSignal(t *testing.T) {
	src := t.TempDir()
	writeFile(t, src, "one.js", strings.Repeat("var x;\n", 8_000))
	if err := os.Symlink("nowhere", filepath.Join(src, "dangling.js")); err != nil {
		t.Fatal(err)
	}
	reader, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer stdout.Close()
	cmd, stderr := start(t, stdout, "rest is analyzed", "analyze", src)
	// Once the first violation is out, there is more to write than fits a pipe.
	lines := bufio.NewScanner(reader)
	for lines.Scan() && !strings.Contains(lines.Text(), "no-var") {
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		rest(t, cmd, stderr)
	}()
	// The first signal has no effect that can be seen, and two at once may
	// arrive as one.
	for {
		select {
		case <-ended:
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if status.Signal() != syscall.SIGINT {
				t.Errorf("ended with %v", cmd.ProcessState)
			}
			return
		case <-time.After(10 * time.Millisecond):
			_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		}
	}
}

// A command that is interrupted before it starts to work does not start.
func TestInterruptedBefore(t *testing.T) {
	src := t.TempDir()
	writeFile(t, src, "one.js", "1")
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"analyze", src},
		{"rules", "test"},
		{"compare", "--corpus", src},
	} {
		if code, _, stderr := call(t, ctx, args...); code != exitInterrupted || stderr != "ddsabench: interrupted\n" {
			t.Errorf("%q: code %d, %q", args, code, stderr)
		}
	}
	if files, _ := os.ReadDir("."); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}
