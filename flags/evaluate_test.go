package flags

import (
	"strings"
	"testing"
)

// The table is the flag's documentation of who wins.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		kill                bool
		option, environment string
		value               Runtime
		source              Source
		reason              Reason
	}{
		{false, "", "", Legacy, SourceDefault, ReasonDefault},
		{false, "", "legacy", Legacy, SourceEnvironment, ReasonStatic},
		{false, "", "ddsa", DDSA, SourceEnvironment, ReasonStatic},
		{false, "legacy", "", Legacy, SourceOption, ReasonStatic},
		{false, "legacy", "ddsa", Legacy, SourceOption, ReasonStatic},
		{false, "ddsa", "", DDSA, SourceOption, ReasonStatic},
		{false, "ddsa", "legacy", DDSA, SourceOption, ReasonStatic},
		{true, "", "", Legacy, SourceKill, ReasonDisabled},
		{true, "", "ddsa", Legacy, SourceKill, ReasonDisabled},
		{true, "ddsa", "ddsa", Legacy, SourceKill, ReasonDisabled},

		// A wrong value, used or not.
		{false, "", "fast", Legacy, SourceEnvironment, ReasonError},
		{false, "fast", "", Legacy, SourceOption, ReasonError},
		{false, "fast", "ddsa", Legacy, SourceOption, ReasonError},
		{false, "ddsa", "fast", Legacy, SourceEnvironment, ReasonError},
		{true, "fast", "fast", Legacy, SourceKill, ReasonDisabled},
		// Names are exact.
		{false, "", "DDSA", Legacy, SourceEnvironment, ReasonError},
		{false, " ddsa", "", Legacy, SourceOption, ReasonError},
	} {
		d := Evaluate(Inputs{Kill: c.kill, Option: c.option, Environment: c.environment})
		if d.Value != c.value || d.Source != c.source || d.Reason != c.reason {
			t.Errorf("kill %v, option %q, environment %q: got %s, %s, %s; want %s, %s, %s",
				c.kill, c.option, c.environment, d.Value, d.Source, d.Reason, c.value, c.source, c.reason)
		}
		if failed := d.Reason == ReasonError; failed != (d.Err != nil) || failed != (d.ErrorCode == ParseError) {
			t.Errorf("option %q, environment %q: reason %s with code %q and error %v",
				c.option, c.environment, d.Reason, d.ErrorCode, d.Err)
		}
	}
}

func TestErrorNamesSourceValueAndChoices(t *testing.T) {
	for _, in := range []Inputs{{Environment: "fast"}, {Option: "fast"}} {
		got := Evaluate(in).Err.Error()
		source := string(SourceEnvironment)
		if in.Option != "" {
			source = string(SourceOption)
		}
		if want := source + `: unknown runtime "fast"; use legacy or ddsa`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func FuzzParseRuntime(f *testing.F) {
	for _, value := range []string{"", "legacy", "ddsa", "DDSA", "ddsa\n", "10%", "\x00\xff", strings.Repeat("x", 1<<16)} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r, err := ParseRuntime(value)
		if (err == nil) != (r == Legacy || r == DDSA) {
			t.Fatalf("%q: value %q, error %v", value, r, err)
		}
		if err == nil && string(r) != value {
			t.Fatalf("%q was read as %q", value, r)
		}
		if err != nil {
			message := err.Error()
			if !strings.Contains(message, "legacy") || !strings.Contains(message, "ddsa") {
				t.Fatalf("the error does not name the choices: %s", message)
			}
			if len(message) > 500 || strings.ContainsAny(message, "\n\r\x00\x1b") {
				t.Fatalf("unfit for a terminal: %q", message)
			}
		}
	})
}
