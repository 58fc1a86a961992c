//go:build linux

package worker

import (
	"strings"
	"testing"
)

func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"\n\n#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 1\n#\n#\n#FailureMessage Object: 0x7f\nSIGTRAP: trace trap\n": "Fatal JavaScript invalid size error 1",
		"<--- JS stacktrace --->\n\n#\n# Fatal javascript OOM in Ineffective mark-compacts near heap limit\n#\n":                               "Fatal javascript OOM in Ineffective mark-compacts near heap limit",
		"SIGSEGV: segmentation violation\nPC=0x0 m=0\n":                                          "SIGSEGV: segmentation violation",
		"runtime: out of memory: cannot allocate 1\nfatal error: out of memory\n\ngoroutine 1":   "runtime: out of memory: cannot allocate 1: fatal error: out of memory",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n": "runtime/cgo: pthread_create failed: Resource temporarily unavailable: SIGABRT: abort",
		"# \x1b[31mred\x00\n":           "[31mred",
		"# " + strings.Repeat("ä", 200): strings.Repeat("ä", 150) + "…",
	} {
		if got := lastWords([]byte(text)); strings.TrimSpace(got) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSaysMemory(t *testing.T) {
	for said, want := range map[string]bool{
		"Fatal javascript OOM in Ineffective mark-compacts near heap limit":               true,
		"Fatal process out of memory: Zone":                                               true,
		"terminate called after throwing an instance of 'std::bad_alloc'":                 true,
		"Check failed: reservation_.SetPermissions( unprotect_start, unprotect_size, x).": true,
		"Fatal JavaScript invalid size error 169220804":                                   false,
		"SIGSEGV: segmentation violation":                                                 false,
		"":                                                                                false,
	} {
		if got := saysMemory(said); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
