package flags

import (
	"errors"
	"strings"
	"testing"
)

func TestParseSetting(t *testing.T) {
	for _, c := range []struct {
		text, spelled string // spelled is empty where the text is no setting
		share         int
	}{
		{"legacy", "legacy", 0},
		{"ddsa", "ddsa", 0},
		{"shadow", "shadow", 0},
		{"live", "live", 0},
		{"0%", "0%", 0},
		{"0.01%", "0.01%", 1},
		{"5%", "5%", 500},
		{"5.0%", "5%", 500},
		{"12.5%", "12.5%", 1250},
		{"12.50%", "12.5%", 1250},
		{"99.99%", "99.99%", 9999},
		{"100%", "100%", 10_000},
		{"100.00%", "100%", 10_000},

		{"", "", 0},
		{"DDSA", "", 0},
		{" ddsa", "", 0},
		{"ddsa\n", "", 0},
		{"10", "", 0},
		{"%", "", 0},
		{".5%", "", 0},
		{"5.%", "", 0},
		{"5.123%", "", 0},
		{"05%", "", 0},
		{"-5%", "", 0},
		{"+5%", "", 0},
		{"1e1%", "", 0},
		{"5 %", "", 0},
		{"5%%", "", 0},
		{"100.01%", "", 0},
		{"101%", "", 0},
		{"1000%", "", 0},
		{"٥%", "", 0},
	} {
		s, err := ParseSetting(c.text)
		if s.String() != c.spelled || s.share != c.share || (err == nil) != (c.spelled != "") {
			t.Errorf("%q: setting %q with %d buckets, error %v; want %q, %d", c.text, s, s.share, err, c.spelled, c.share)
		}
		if byKey := strings.HasSuffix(c.spelled, "%"); s.ByKey() != byKey {
			t.Errorf("%q: by key %v", c.text, s.ByKey())
		}
	}
}

// What comes out is a setting or an error, never both or neither, and a setting
// is read back from its own spelling.
func FuzzParseSetting(f *testing.F) {
	for _, text := range []string{
		"", "legacy", "ddsa", "DDSA", "ddsa\n", "10%", "0.01%", "100.01%", "shadow", "live", "\x00\xff", strings.Repeat("9", 1<<16),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSetting(text)
		if (err == nil) != (s != Setting{}) {
			t.Fatalf("%q: setting %q, error %v", text, s, err)
		}
		if err == nil {
			again, err := ParseSetting(s.String())
			if again != s || err != nil {
				t.Fatalf("%q is spelled %q, which is read as %q, %v", text, s, again, err)
			}
			if v := s.For("key"); v != VariantLegacy && v != VariantDDSA && s.ByKey() {
				t.Fatalf("%q gave variant %q", text, v)
			}
			return
		}
		var wrong *SettingError
		if !errors.As(err, &wrong) || wrong.Text != text {
			t.Fatalf("%q: error %#v", text, err)
		}
		message := err.Error()
		if !strings.Contains(message, "legacy") || !strings.Contains(message, "ddsa") {
			t.Fatalf("the error does not name the choices: %s", message)
		}
		if len(message) > 500 || strings.ContainsAny(message, "\n\r\x00\x1b") {
			t.Fatalf("unfit for a terminal: %q", message)
		}
	})
}
