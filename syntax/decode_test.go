package syntax

import (
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/ddsabench/ddsabench/executor"
)

func TestDecode(t *testing.T) {
	const r = "\uFFFD"
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"aé漢😀", "aé漢😀"},
		{"\ufeffa", "\ufeffa"},
		{"a\xffb", "a" + r + "b"},
		{"\x80\x80", r + r},
		{"\xc0\xaf", r + r},
		{"\xe0\x9f\x80", r + r + r},
		{"\xed\xa0\x80", r + r + r}, // a surrogate
		{"\xf4\x90\x80\x80", r + r + r + r},
		{"\xf0\x9f\x98", r},
		{"\xf0\x9f\x98a", r + "a"},
		{"\xf0\x80\x98", r + r + r},
		{"\xe6\xbc", r},
		{"\xe6\xbc\xe6\xbc\xa2", r + "漢"},
		{"\xc3", r},
		// The Unicode standard's example, table 3-11.
		{"a\xf1\x80\x80\xe1\x80\xc2b\x80c\x80\xbfd", "a" + r + r + r + "b" + r + "c" + r + r + "d"},
	} {
		if got := Decode([]byte(c.in)); got != c.want {
			t.Errorf("%q: want %q, got %q", c.in, c.want, got)
		}
	}
}

func TestDecodeDoesNotCopyValidText(t *testing.T) {
	b := []byte(strings.Repeat("é", 100))
	if s := Decode(b); unsafe.StringData(s) != &b[0] {
		t.Error("valid text was copied")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("a\xf1\x80\x80\xe1\x80\xc2b\x80"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := Decode(b)
		if !utf8.ValidString(s) {
			t.Errorf("%q is not valid", s)
		}
		// Range yields one U+FFFD per byte; runs of them must not grow.
		if len([]rune(s)) > len([]rune(string(b))) {
			t.Errorf("%q became longer: %q", b, s)
		}
	})
}

// FuzzPositions checks the records of all nodes of a random text against the
// text; dump does the comparing.
func FuzzPositions(f *testing.F) {
	f.Add("a\r\n'é😀\u0301' // 漢\n+ b")
	f.Add(sample(3))
	f.Add(strings.Repeat("'😀'+x\n", 50))
	f.Add("\ufeff\xff`${a}`")
	f.Add("<a b='é'>漢{c}</a>")
	js := newRule("js", executor.JavaScript, "(_) @x")
	ts := newRule("ts", executor.TypeScript, "(_) @x (program) @p")
	set, err := Compile([]*executor.Rule{js, ts})
	if err != nil {
		f.Fatal(err)
	}
	o := DefaultOptions()
	o.ParseTimeout = 0
	f.Fuzz(func(t *testing.T, source string) {
		p := set.NewParser(o)
		defer p.Close()
		for _, r := range []*executor.Rule{js, ts} {
			file, err := p.Parse("fuzz", r.Language, source)
			if err != nil {
				t.Fatal(err)
			}
			if !utf8.ValidString(file.Text) {
				t.Fatal("the text is not valid")
			}
			dump(t, file, r)
		}
	})
}
