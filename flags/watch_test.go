package flags_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/ddsabench/ddsabench/flags"
)

// A watched evaluator's file is changed by a test. Its clock is the bubble's.
type watched struct {
	*Evaluator
	t       *testing.T
	file    string
	changes []Status // what OnChange was told
}

// watch makes an evaluator for a file, which is not written if text is empty.
func watch(t *testing.T, text string, c Config) *watched {
	t.Helper()
	w := &watched{t: t, file: filepath.Join(t.TempDir(), "runtime.yaml")}
	if text != "" {
		w.write(text)
	}
	c.File = w.file
	c.OnChange = func(s Status) { w.changes = append(w.changes, s) }
	w.Evaluator = New(c)
	t.Cleanup(func() { w.Close() })
	return w
}

func (w *watched) write(text string) {
	w.t.Helper()
	if err := os.WriteFile(w.file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// later lets the time pass within which a change has to be followed.
func (w *watched) later() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func (w *watched) expect(want string, reason Reason) {
	w.t.Helper()
	if d := w.Evaluate("shop"); !strings.HasPrefix(d.String(), want) || d.Reason != reason {
		w.t.Errorf("got %s, %s; want %s, %s", d, d.Reason, want, reason)
	}
}

// The ladder up, the kill switch, and back.
func TestFollowsTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, "runtime: legacy\n", Config{})
		w.expect("legacy (file DDSA_RUNTIME_FILE)", ReasonStatic)
		for _, step := range []struct {
			text, want string
			reason     Reason
		}{
			{"runtime: shadow\n", "legacy, compared with ddsa (file DDSA_RUNTIME_FILE)", ReasonStatic},
			{"runtime: 64.31%\n", "legacy (file DDSA_RUNTIME_FILE: 64.31%)", ReasonSplit},
			{"runtime: 64.32%\n", "ddsa (file DDSA_RUNTIME_FILE: 64.32%)", ReasonSplit},
			{"runtime: live\n", "ddsa, compared with legacy (file DDSA_RUNTIME_FILE)", ReasonStatic},
			{"runtime: ddsa\n", "ddsa (file DDSA_RUNTIME_FILE)", ReasonStatic},
			{"runtime: ddsa\nkill: true\n", "legacy (kill switch in DDSA_RUNTIME_FILE)", ReasonDisabled},
			{"runtime: ddsa\nkill: false\n", "ddsa (file DDSA_RUNTIME_FILE)", ReasonStatic},
			{"kill: false\n", "legacy (default)", ReasonDefault},
		} {
			w.write(step.text)
			w.later()
			w.expect(step.want, step.reason)
			if n := len(w.changes); n == 0 || w.changes[n-1] != w.Status() {
				t.Errorf("%q: the last of %d changes told is not the status", step.text, n)
			}
		}
		if len(w.changes) != 8 {
			t.Errorf("%d changes were told, want 8", len(w.changes))
		}
		for range 2 {
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
		w.write("runtime: ddsa\n")
		w.later()
		w.expect("legacy (default)", ReasonDefault) // nobody watches any more
	})
}

// The file's kill switch works whatever decides.
func TestFileKillsWhateverDecides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, "kill: false\n", Config{Option: "ddsa", Environment: "live"})
		w.expect("ddsa (option ddsa-runtime)", ReasonStatic)
		w.write("kill: true\n")
		w.later()
		w.expect("legacy (kill switch in", ReasonDisabled)
		if got := w.Status(); got.Kill != SourceFileKill || got.Setting.String() != "ddsa" || got.Source != SourceOption {
			t.Errorf("status %+v", got)
		}
	})
}

// What is wrong with a running program's file is told, and changes nothing.
func TestLastGoodValueStays(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, file string)
		reason string // a part of the error
		code   ErrorCode
	}{
		{"half-written", overwrite("runtime: dds"), `unknown runtime "dds"`, ParseError},
		{"emptied", overwrite(""), "none of", ParseError},
		{"wrong, with the kill off", overwrite("runtime: off\nkill: false"), `unknown runtime "off"`, ParseError},
		{"half-written, with a kill", overwrite("kill: true\nruntime: 'dds"), "2:10", ParseError},
		{"too large", overwrite("#" + strings.Repeat(" ", 4<<10)), "larger than", General},
		{"removed", remove, "no such file", General},
		{"a folder", func(t *testing.T, file string) {
			remove(t, file)
			must(t, os.Mkdir(file, 0o700))
		}, "no regular file", General},
		{"a pipe", func(t *testing.T, file string) {
			remove(t, file)
			must(t, syscall.Mkfifo(file, 0o600))
		}, "no regular file", General},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, good := range []struct{ text, value string }{
					{"runtime: ddsa\nshadow-sample: 0.5\n", "ddsa ("},
					{"runtime: live\nshadow-sample: 0.5\n", "ddsa, compared"},
				} {
					w := watch(t, good.text, Config{})
					c.spoil(t, w.file)
					w.later()
					w.expect(good.value, ReasonError)
					d := w.Evaluate("shop")
					if d.ErrorCode != c.code || !strings.Contains(d.Err.Error(), c.reason) || d.ShadowSample != 0.5 {
						t.Errorf("decision %+v", d)
					}
					if len(w.changes) != 1 || w.changes[0].Err == nil {
						t.Errorf("told %+v", w.changes)
					}
					must(t, os.RemoveAll(w.file))
					w.write(good.text) // mended
					w.later()
					w.expect(good.value, ReasonStatic)
					if n := len(w.changes); w.changes[n-1].Err != nil {
						t.Errorf("told %+v", w.changes)
					}
				}

				// A kill stays on too.
				w := watch(t, "kill: true", Config{Option: "ddsa"})
				c.spoil(t, w.file)
				w.later()
				w.expect("legacy (kill switch in", ReasonError)
				if w.Status().Err == nil {
					t.Error("the status does not tell")
				}

				// What another source decides is not in doubt; the status tells.
				w = watch(t, "kill: false", Config{Option: "ddsa"})
				c.spoil(t, w.file)
				w.later()
				w.expect("ddsa (option", ReasonStatic)
				if w.Status().Err == nil {
					t.Error("the status does not tell")
				}
			})
		})
	}
}

// A kill is not ignored for what else is wrong with the file, nor for a slip in
// itself. The rest is as it was, and a right file ends the kill.
func TestKillInAWrongFile(t *testing.T) {
	for _, c := range []struct{ text, reason string }{
		{"runtime: off\nkill: true", `unknown runtime "off"`},
		{"owner: me\nkill: true", "unknown key"},
		{"kill: ture\nshadow-sample: 1", `"ture" is neither true nor false`},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := watch(t, "shadow-sample: 0.5", Config{Option: "ddsa"})
			killed := func(changes int) {
				t.Helper()
				w.later()
				w.expect("legacy (kill switch in DDSA_RUNTIME_FILE: ", ReasonError)
				d, s := w.Evaluate("shop"), w.Status()
				if d.Source != SourceFileKill || d.ErrorCode != s.ErrorCode || !strings.Contains(d.Err.Error(), c.reason) || d.ShadowSample != 0.5 {
					t.Errorf("%q: decision %+v", c.text, d)
				}
				if s.Kill != SourceFileKill || s.Source != SourceOption || !strings.Contains(s.Err.Error(), c.reason) {
					t.Errorf("%q: status %+v", c.text, s)
				}
				if len(w.changes) != changes || w.changes[changes-1] != s {
					t.Errorf("%q: told %+v", c.text, w.changes)
				}
			}
			w.write(c.text)
			killed(1)
			c.reason = `unknown runtime "fast"`
			w.write("runtime: fast\nkill: false") // wrong too: it does not end it
			killed(2)
			c.reason = "none of runtime, kill"
			w.write("")
			killed(3)
			w.write("kill: false")
			w.later()
			w.expect("ddsa (option", ReasonStatic)
			if got := w.Status(); got.Kill != "" || got.Err != nil {
				t.Errorf("%q: status %+v", c.text, got)
			}
		})
	}
}

func overwrite(text string) func(*testing.T, string) {
	return func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte(text), 0o600)) }
}

func remove(t *testing.T, file string) { must(t, os.Remove(file)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// At the start there is no good value to keep: a name with a slip of the pen
// must not look like a working kill switch.
func TestWrongFileAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, "", Config{Option: "ddsa"})
		w.expect("legacy (file DDSA_RUNTIME_FILE: open ", ReasonError)
		w.write("kill: false\n")
		w.later()
		w.expect("ddsa (option ddsa-runtime)", ReasonStatic)

		w = watch(t, "runtime: off\nkill: true", Config{Option: "ddsa"})
		w.expect("legacy (kill switch in DDSA_RUNTIME_FILE: ", ReasonError)
		if got := w.Status(); got.Kill != SourceFileKill || got.Err == nil || got.ErrorCode != ParseError {
			t.Errorf("status %+v", got)
		}
	})
}

// A writer that takes its time between two lines is not taken at its half word.
func TestHalfWrittenFileIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, "runtime: ddsa\nkill: true\n", Config{})
		for range 20 {
			w.write("")
			time.Sleep(70 * time.Millisecond)
			w.write("runtime: ddsa\n") // right as it stands, but without the kill
			time.Sleep(130 * time.Millisecond)
			w.write("runtime: ddsa\nkill: true\n")
			time.Sleep(270 * time.Millisecond)
			synctest.Wait()
			w.expect("legacy (kill switch in", ReasonDisabled)
		}
		if len(w.changes) != 0 {
			t.Errorf("told %+v", w.changes)
		}
	})
}

// Kubernetes mounts a ConfigMap as runtime.yaml -> ..data/runtime.yaml with
// ..data -> a folder by date, and replaces ..data.
func TestConfigMap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		publish := func(version, text string) {
			must(t, os.Mkdir(filepath.Join(dir, version), 0o700))
			must(t, os.WriteFile(filepath.Join(dir, version, "runtime.yaml"), []byte(text), 0o600))
			must(t, os.Symlink(version, filepath.Join(dir, "..tmp")))
			must(t, os.Rename(filepath.Join(dir, "..tmp"), filepath.Join(dir, "..data")))
		}
		publish("..1", "runtime: legacy")
		must(t, os.Symlink("..data/runtime.yaml", filepath.Join(dir, "runtime.yaml")))
		e := New(Config{File: filepath.Join(dir, "runtime.yaml")})
		defer e.Close()
		publish("..2", "runtime: ddsa")
		time.Sleep(time.Second)
		synctest.Wait()
		if d := e.Evaluate(""); d.Value != DDSA {
			t.Errorf("got %s", d)
		}
	})
}
