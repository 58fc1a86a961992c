package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system with room for a few kilobytes.
func smallDisk(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	err := unix.Mount("none", dir, "tmpfs", 0, "size="+size)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		t.Skip("mounting is not permitted here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A report that does not fit on the disk is an error and leaves nothing behind;
// a report of before stays as it was.
func TestDiskFull(t *testing.T) {
	src := t.TempDir()
	writeFile(t, src, "one.js", strings.Repeat("var x;\n", 2_000))
	for _, args := range [][]string{
		{"analyze", src, "--isolation", "thread"},
		{"analyze", src, "--isolation", "thread", "--format", "json"},
	} {
		dir := smallDisk(t, "32k")
		out := writeFile(t, dir, "report", "as it was")
		code, stdout, stderr := call(t, t.Context(), append(args, "--out", out)...)
		if code != exitInternal || stdout != "" || !strings.Contains(stderr, "no space left on device") {
			t.Errorf("%q: code %d, %q, %q", args, code, stdout, stderr)
		}
		if got, err := os.ReadFile(out); string(got) != "as it was" {
			t.Errorf("%q: the report of before is now %q, %v", args, got, err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%q: left behind: %v", args, files)
		}
	}
}

// Raw samples that do not fit on the disk end the comparison; those that did
// can be read.
func TestDiskFullRecord(t *testing.T) {
	src := t.TempDir()
	writeFile(t, src, "one.js", "var x;\n")
	dir := smallDisk(t, "8k")
	record := filepath.Join(dir, "raw.jsonl")
	code, _, stderr := call(t, t.Context(), "compare", "--corpus", src, "--rounds", "20", "--warmup", "0", "--count", "off", "--record", record)
	if code != exitInternal || !strings.Contains(stderr, "no space left on device") {
		t.Errorf("code %d, %q", code, stderr)
	}
	if text, err := os.ReadFile(record); err != nil || !strings.Contains(string(text), "\n") {
		t.Errorf("the record holds %q, %v", text, err)
	}
}
