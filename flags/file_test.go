package flags

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParseFile(t *testing.T) {
	setting := func(text string) Setting {
		s, err := ParseSetting(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		text string
		want values
		err  string // a part of it
	}{
		{"runtime: ddsa\n", values{setting: setting("ddsa")}, ""},
		{"runtime: 12.50%", values{setting: setting("12.5%")}, ""},
		{`runtime: "5%"`, values{setting: setting("5%")}, ""},
		{"kill: true", values{kill: true}, ""},
		{"kill: yes", values{kill: true}, ""},
		{"kill: 1", values{kill: true}, ""},
		{"kill: false", values{}, ""},
		{"shadow-sample: 0.25", values{sample: 0.25, hasSample: true}, ""},
		{"shadow-sample: 1", values{sample: 1, hasSample: true}, ""},
		{"shadow-sample: 0", values{hasSample: true}, ""},
		{"\"runtime\": >-\n  5%\n---\n", values{setting: setting("5%")}, ""},
		{
			"# stage 2\n---\nruntime: live\nkill: off\nshadow-sample: 1e-3\n",
			values{setting: setting("live"), sample: 0.001, hasSample: true},
			"",
		},

		{"", values{}, "none of runtime, kill and shadow-sample"},
		{"# nothing yet\n", values{}, "none of"},
		{"{}", values{}, "none of"},
		{"ddsa", values{}, "a String, where keys are expected"},
		{"- runtime: ddsa", values{}, "a Sequence, where"},
		{"runtime:", values{}, "runtime: unknown runtime"},
		{"runtime: dds", values{}, `runtime: unknown runtime "dds"`},
		{"runtime: 5", values{}, `runtime: unknown runtime "5"`},
		{"runtime: [ddsa]", values{}, "runtime: unknown runtime"},
		{"shadow-sample: 10%", values{}, "shadow-sample: "},
		{"shadow-sample: .nan", values{}, "shadow-sample: "},
		{"runtme: ddsa", values{}, "runtme: unknown key; use runtime, kill or shadow-sample"},
		{"runtime: ddsa\nruntime: legacy", values{}, "runtime: the key is there twice"},
		{"runtime: ddsa\n---\nruntime: legacy", values{}, "follows the first document"},
		{"runtime: 'dds", values{}, "1:10"},
		{"\x00\xff", values{}, " "},

		// The kill switch counts as far as the file can be read at all, and what
		// is not off is on.
		{"runtime: off\nkill: true", values{kill: true}, `runtime: unknown runtime "off"`},
		{"kill: true\nowner: me", values{kill: true}, "owner: unknown key"},
		{"Runtime: ddsa\nkill: on\nshadow-sample: 2", values{kill: true}, "Runtime: unknown key"},
		{"kill: false\nruntime: ddsa\nkill: true", values{kill: true}, "kill: the key is there twice"},
		{"kill: true\nkill: false", values{kill: true}, "kill: the key is there twice"},
		{"kill: true\n---\nkill: false", values{kill: true}, "follows the first document"},
		{"kill: true\nruntime: *nowhere", values{kill: true}, `runtime: unknown runtime "(Alias)"`},
		{"runtime: ddsa\nkill: ture", values{kill: true}, `kill: "ture" is neither`},
		{"runtime: ddsa\nkill:", values{kill: true}, `kill: "(Null)" is neither`},
		{"kill: [true]", values{kill: true}, `kill: "(Sequence)" is neither`},
		{"runtime: off\nkill: false", values{}, "runtime: "},
		{"kill: true\nruntime: 'dds", values{}, "2:10"}, // half-written
	} {
		got, err := parseFile([]byte(c.text))
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: got %+v, %v; want %+v, %q", c.text, got, err, c.want, c.err)
		}
	}
}

// A file cannot keep the watcher from the next kill: not by its size, nor by
// aliases, whose text is 10 times as long on each line.
func TestHostileFile(t *testing.T) {
	lines := func(first, next string) string {
		text := first
		for i := range 7 {
			before := fmt.Sprintf("*a%d", i)
			text += fmt.Sprintf(next, i+1, strings.Repeat(before+", ", 9)+before)
		}
		return text
	}
	lists := lines("a0: &a0 [x]\n", "a%d: &a%[1]d [%s]\n")
	for _, c := range []struct{ name, text, err string }{
		{"nested", strings.Repeat("[", 64<<10), "larger than"},
		{"nested as far as it goes", strings.Repeat("[", maxFile), "']' not found"},
		{"aliases", lists + "a: [*a7, *a7, *a7, *a7, *a7]\n", "a0: unknown key"},
		{"aliases in a tag", lists + "runtime: !!str *a7\n", "a0: unknown key"},
		{"aliases of a value", "runtime: &a0 [x]\n" + strings.TrimPrefix(lists, "a0: &a0 [x]\n"), `unknown runtime "(Anchor)"`},
		{"merged", lines("a0: &a0 {x: 1}\n", "a%d: &a%[1]d {<<: [%s]}\n"), "a0: unknown key"},
	} {
		name := filepath.Join(t.TempDir(), "runtime.yaml")
		if err := os.WriteFile(name, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		text, err := readFile(name)
		if err == nil {
			_, err = parseFile(text)
		}
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: %d bytes took %v", c.name, len(c.text), took)
		}
	}
}

// Either values or an error, beside which only a kill counts; it never panics,
// whatever the library does.
func FuzzParseFile(f *testing.F) {
	for _, text := range []string{
		"", "kill: true\n", "runtime: 25%\nkill: no\nshadow-sample: 0.5\n", "a: &a [*a]", "? {", "runtime: !!binary x",
		"\x00", "- ", "kill: |\n true", "<<: {kill: true}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := parseFile(text)
		if err != nil && v != (values{kill: v.kill}) {
			t.Fatalf("%q: values %+v and error %v", text, v, err)
		}
		if err == nil && !(v.sample >= 0 && v.sample <= 1) {
			t.Fatalf("%q: share %v", text, v.sample)
		}
	})
}
