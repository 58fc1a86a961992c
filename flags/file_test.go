package flags

import (
	"strings"
	"testing"
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
		{
			"# stage 2\n---\nruntime: live\nkill: off\nshadow-sample: 1e-3\n",
			values{setting: setting("live"), sample: 0.001, hasSample: true},
			"",
		},

		{"", values{}, "none of runtime, kill and shadow-sample"},
		{"# nothing yet\n", values{}, "none of"},
		{"{}", values{}, "none of"},
		{"ddsa", values{}, "string"},
		{"- runtime: ddsa", values{}, "sequence"},
		{"runtime:", values{}, "runtime: unknown runtime"},
		{"runtime: dds", values{}, `runtime: unknown runtime "dds"`},
		{"runtime: 5", values{}, `runtime: unknown runtime "5"`},
		{"runtime: ddsa\nkill:", values{}, "kill: "},
		{"runtime: ddsa\nkill: tr", values{}, `kill: "tr" is neither`},
		{"runtime: [ddsa]", values{}, "runtime: unknown runtime"},
		{"shadow-sample: 10%", values{}, "shadow-sample: "},
		{"shadow-sample: .nan", values{}, "shadow-sample: "},
		{"runtme: ddsa", values{}, "runtme: unknown key; use runtime, kill or shadow-sample"},
		{"runtime: ddsa\nruntime: legacy", values{}, "runtime"},
		{"runtime: ddsa\n---\nruntime: legacy", values{}, "follows the first document"},
		{"runtime: 'dds", values{}, "1:10"},
		{"\x00\xff", values{}, " "},
	} {
		got, err := parseFile([]byte(c.text))
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: got %+v, %v; want %+v, %q", c.text, got, err, c.want, c.err)
		}
	}
}

// Either values or an error; it never panics, whatever the library does.
func FuzzParseFile(f *testing.F) {
	for _, text := range []string{
		"", "kill: true\n", "runtime: 25%\nkill: no\nshadow-sample: 0.5\n", "a: &a [*a]", "? {", "runtime: !!binary x",
		"\x00", "- ", "kill: |\n true", "<<: {kill: true}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := parseFile(text)
		if err != nil && v != (values{}) {
			t.Fatalf("%q: values %+v and error %v", text, v, err)
		}
		if err == nil && !(v.sample >= 0 && v.sample <= 1) {
			t.Fatalf("%q: share %v", text, v.sample)
		}
	})
}
