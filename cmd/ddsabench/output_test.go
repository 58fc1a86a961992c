package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What cannot be written to standard output is reported and ends with code 1,
// whichever library was writing.
func TestWriteErrors(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	reader, closed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	reader.Close()

	dir := t.TempDir()
	writeFile(t, dir, "one.js", "var one = 1;")
	for _, args := range [][]string{
		{"--help"},
		{"--version"},
		{"compare", "--help"},
		{"rules", "list"},
		{"corpus", "list"},
		{"analyze", dir},
		{"analyze", dir, "--format", "json"},
		{"compare", "--corpus", dir, "--rounds", "1", "--warmup", "0", "--count", "off"},
	} {
		for stdout, want := range map[*os.File]string{full: "no space left on device", closed: "broken pipe"} {
			var stderr strings.Builder
			cmd := exec.Command("ddsabench", args...) // found in testscript's folder
			cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), stdout, &stderr
			_ = cmd.Run() // the code says more
			text := stderr.String()
			if cmd.ProcessState.ExitCode() != exitInternal || strings.Count(text, want) != 1 || !strings.Contains(text, "ddsabench: ") {
				t.Errorf("%q: code %d, want %d and %q\n%s", args, cmd.ProcessState.ExitCode(), exitInternal, want, text)
			}
		}
	}
}
