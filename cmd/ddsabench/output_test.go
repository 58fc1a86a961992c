package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What cannot be written to standard output is reported and ends with code 1,
// whichever library was writing. Where nobody reads any more all is quiet, and
// the code is that of work that was done by then.
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
	for _, test := range []struct {
		args   []string
		closed int // the code if nobody reads
	}{
		{[]string{"--help"}, exitOK},
		{[]string{"--version"}, exitOK},
		{[]string{"compare", "--help"}, exitOK},
		{[]string{"rules", "list"}, exitPipe},
		{[]string{"corpus", "list"}, exitPipe},
		{[]string{"analyze", dir}, exitPipe},
		{[]string{"analyze", dir, "--format", "json"}, exitPipe},
		{[]string{"compare", "--corpus", dir, "--rounds", "1", "--warmup", "0", "--count", "off"}, exitOK},
		{[]string{"compare", "--corpus", dir, "--rounds", "1", "--warmup", "0", "--count", "off", "--fail-on", "inconclusive"}, exitOpen},
	} {
		for _, stdout := range []*os.File{full, closed} {
			var stderr strings.Builder
			cmd := exec.Command("ddsabench", test.args...) // found in testscript's folder
			cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), stdout, &stderr
			_ = cmd.Run() // the code says more
			text, code := stderr.String(), cmd.ProcessState.ExitCode()
			if strings.Contains(text, "broken pipe") {
				t.Errorf("%q: %s", test.args, text)
			}
			switch {
			case stdout == closed && code != test.closed:
				t.Errorf("%q, nobody reads: code %d, want %d\n%s", test.args, code, test.closed, text)
			case stdout == full && test.closed != exitOpen && (code != exitInternal || strings.Count(text, "no space left on device") != 1 || !strings.Contains(text, "ddsabench: ")):
				t.Errorf("%q: code %d, want %d\n%s", test.args, code, exitInternal, text)
			}
		}
	}
}

// Each line of an error says whose it is.
func TestTell(t *testing.T) {
	var b strings.Builder
	tell(&b, errors.Join(errors.New("one"), errors.New("two\nthree")))
	if got := b.String(); got != "ddsabench: one\nddsabench: two\nddsabench: three\n" {
		t.Errorf("%q", got)
	}
}
