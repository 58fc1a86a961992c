package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ddsabench/ddsabench"
)

// TestMain makes the test binary stand in for the program: by its name in
// scripts, and as a child of itself.
func TestMain(m *testing.M) {
	ddsabench.WorkerMain()
	if len(os.Args) > 1 && (os.Args[1] == sampleName || os.Args[1] == tortureChildName) {
		main()
	}
	testscript.Main(m, map[string]func(){"ddsabench": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "counting" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return countable() == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "json": cmdJSON, "mask": cmdMask,
		},
	})
}

// call runs the command in this process and returns its code and output.
func call(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("DDSA_RUNTIME", "")
	var out, err strings.Builder
	code = run(ctx, append([]string{"ddsabench"}, args...), &out, &err)
	return code, out.String(), err.String()
}

// Help fits a terminal of 80 columns, for each command, and is no error even
// where the environment is wrong.
func TestHelp(t *testing.T) {
	paths := [][]string{{}}
	for _, c := range newApp(io.Discard, io.Discard).Commands {
		if c.Hidden {
			continue
		}
		paths = append(paths, []string{c.Name})
		for _, sub := range c.Subcommands {
			paths = append(paths, []string{c.Name, sub.Name})
		}
	}
	if len(paths) < 11 {
		t.Fatalf("only %q", paths)
	}
	for _, path := range paths {
		t.Setenv("DDSA_RUNTIME", "wrong")
		var stdout, stderr strings.Builder
		code := run(t.Context(), slices.Concat([]string{"ddsabench"}, path, []string{"--help"}), &stdout, &stderr)
		if code != exitOK || stderr.Len() > 0 || !strings.HasPrefix(stdout.String(), "NAME:") {
			t.Errorf("%q --help: code %d\n%s%s", path, code, stdout.String(), stderr.String())
		}
		for line := range strings.Lines(stdout.String()) {
			if len(line) > 81 { // with its end
				t.Errorf("%q: too long: %s", path, line)
			}
		}
	}
}

func TestOptionsFirst(t *testing.T) {
	commands := newApp(io.Discard, io.Discard).Commands
	for _, test := range []struct{ args, want string }{
		{"", ""},
		{"--version", "--version"},
		{"unknown --x", "unknown --x"},
		{"analyze d", "analyze -- d"},
		{"analyze d --format json", "analyze --format json -- d"},
		{"analyze --format=json d -out f", "analyze --format=json -out f -- d"},
		{"analyze d --rule-timeout -1s", "analyze --rule-timeout -1s -- d"},
		{"analyze d --skip-broken e", "analyze --skip-broken -- d e"},
		{"analyze d -- --format", "analyze -- d --format"},
		{"analyze - --help", "analyze --help -- -"},
		{"analyze d --out", "analyze --out -- d"},
		{"corpus verify small --cache c", "corpus verify --cache c -- small"},
		{"corpus unknown --help", "corpus --help -- unknown"},
	} {
		got := optionsFirst(commands, append([]string{"ddsabench"}, strings.Fields(test.args)...))
		if text := strings.Join(got[1:], " "); text != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.args, text, test.want)
		}
	}
}

// writeFile makes a file, and its folder, and returns its path.
func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// long leaves a test out where time is short: what it tests goes over the whole
// small tier.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

// fetched is the folder of fetched corpora: what the variable env says, if it is
// set, or the user's.
func fetched(t *testing.T, env string) string {
	t.Helper()
	if dir := os.Getenv(env); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no cache folder: ", err)
	}
	return filepath.Join(dir, "ddsabench")
}
