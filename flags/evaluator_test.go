package flags_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/ddsabench/ddsabench/flags"
)

// provider is a Provider with one answer.
type provider Resolution

func (p provider) Resolve(string) Resolution { return Resolution(p) }

// evaluate decides once for a key.
func evaluate(t testing.TB, c Config, key string) Decision {
	t.Helper()
	e := New(c)
	defer e.Close()
	return e.Evaluate(key)
}

// write makes a file and returns its name.
func write(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "runtime.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Who wins, for all combinations of what the sources can say: the strongest one
// that says something.
func TestPrecedence(t *testing.T) {
	settings := []string{"", "legacy", "ddsa", "shadow", "live"}
	files := map[string]string{}
	for _, kill := range []string{"false", "true"} {
		for _, setting := range settings {
			text := "kill: " + kill
			if setting != "" {
				text += "\nruntime: " + setting
			}
			files[kill+setting] = write(t, text)
		}
	}
	all := 3 * 2 * len(settings) * len(settings) * len(settings) * len(settings)
	for n := range all {
		pick := func(values ...string) string {
			i := n % len(values)
			n /= len(values)
			return values[i]
		}
		kill, fileKill := pick("", "0", "1"), pick("false", "true")
		option, environment, file, provided := pick(settings...), pick(settings...), pick(settings...), pick(settings...)

		var want Decision
		for _, source := range []struct { // the strongest first
			says    bool
			variant string
			Source
			Reason
		}{
			{kill == "1", "legacy", SourceKill, ReasonDisabled},
			{fileKill == "true", "legacy", SourceFileKill, ReasonDisabled},
			{option != "", option, SourceOption, ReasonStatic},
			{environment != "", environment, SourceEnvironment, ReasonStatic},
			{file != "", file, SourceFile, ReasonStatic},
			{provided != "", provided, SourceProvider, ReasonTargetingMatch},
			{true, "legacy", SourceDefault, ReasonDefault},
		} {
			if source.says {
				want = Decision{Variant: Variant(source.variant), Source: source.Source, Reason: source.Reason}
				break
			}
		}
		want.Value = Legacy
		if want.Variant == VariantDDSA || want.Variant == VariantLive {
			want.Value = DDSA
		}
		want.ShadowSample = DefaultShadowSample

		got := evaluate(t, Config{
			Kill: kill, Option: option, Environment: environment, File: files[fileKill+file],
			Provider: provider{Value: provided, Reason: ReasonTargetingMatch},
		}, "shop")
		got.Setting = Setting{}
		if got != want {
			t.Fatalf("kill %q, option %q, environment %q, file (%s, %q), provider %q:\ngot  %+v\nwant %+v",
				kill, option, environment, fileKill, file, provided, got, want)
		}
	}
	t.Logf("%d combinations", all)
}

func TestDecisions(t *testing.T) {
	down := errors.New("down")
	for _, c := range []struct {
		name   string
		config Config
		key    string
		want   string // as String gives it
		reason Reason
		code   ErrorCode
	}{
		{"default", Config{}, "", "legacy (default)", ReasonDefault, ""},
		{"shadow", Config{Option: "shadow"}, "", "legacy, compared with ddsa (option ddsa-runtime)", ReasonStatic, ""},
		{"live", Config{Option: "live"}, "", "ddsa, compared with legacy (option ddsa-runtime)", ReasonStatic, ""},

		// Of these keys, blog is in bucket 81 and shop in 6,431.
		{"share, out", Config{Environment: "0.81%"}, "blog", "legacy (environment DDSA_RUNTIME: 0.81%)", ReasonSplit, ""},
		{"share, in", Config{Environment: "0.82%"}, "blog", "ddsa (environment DDSA_RUNTIME: 0.82%)", ReasonSplit, ""},
		{"share of none", Config{Option: "0%"}, "blog", "legacy (option ddsa-runtime: 0%)", ReasonSplit, ""},
		{"share of all", Config{Option: "100%"}, "shop", "ddsa (option ddsa-runtime: 100%)", ReasonSplit, ""},
		{
			"share without a key",
			Config{Option: "100%"},
			"",
			"legacy (option ddsa-runtime: 100% is a share, and there is no targeting key)", ReasonError, TargetingKeyMissing,
		},

		// A wrong value leads to legacy, also where it would not have decided.
		{
			"wrong environment", Config{Environment: "fast"}, "", "legacy (environment DDSA_RUNTIME: unknown runtime" +
				` "fast"; use legacy, ddsa, a share such as 5%, shadow or live)`, ReasonError, ParseError,
		},
		{
			"wrong option", Config{Option: "DDSA", Environment: "ddsa"}, "", "legacy (option ddsa-runtime: unknown runtime" +
				` "DDSA"; use legacy, ddsa, a share such as 5%, shadow or live)`, ReasonError, ParseError,
		},
		{
			"wrong and not used", Config{Option: "ddsa", Environment: "fast"}, "", "legacy (environment DDSA_RUNTIME: unknown runtime" +
				` "fast"; use legacy, ddsa, a share such as 5%, shadow or live)`, ReasonError, ParseError,
		},
		{
			"wrong sample",
			Config{Option: "ddsa", ShadowSample: "10%"},
			"",
			`legacy (environment DDSA_SHADOW_SAMPLE: "10%" is no share; use a number from 0 to 1)`, ReasonError, ParseError,
		},
		// A kill switch with a slip of the pen still leads to legacy.
		{
			"wrong kill switch",
			Config{Option: "ddsa", Kill: "ture"},
			"",
			`legacy (kill switch DDSA_RUNTIME_KILL: "ture" is neither true nor false)`, ReasonError, ParseError,
		},
		{
			"wrong kill switch over all",
			Config{Option: "fast", Kill: "ture", File: write(t, "kill: true")},
			"",
			`legacy (kill switch DDSA_RUNTIME_KILL: "ture" is neither true nor false` + "\n" +
				`option ddsa-runtime: unknown runtime "fast"; use legacy, ddsa, a share such as 5%, shadow or live)`, ReasonError, ParseError,
		},
		{"kill over all", Config{Option: "fast", Kill: "YES"}, "", "legacy (kill switch DDSA_RUNTIME_KILL)", ReasonDisabled, ""},

		{"provider", Config{Provider: provider{Value: "ddsa", Reason: ReasonTargetingMatch}}, "", "ddsa (provider)", ReasonTargetingMatch, ""},
		{"provider's share", Config{Provider: provider{Value: "50%", Reason: ReasonStatic}}, "blog", "ddsa (provider: 50%)", ReasonSplit, ""},
		{
			"provider's share without a key",
			Config{Provider: provider{Value: "50%"}},
			"",
			"legacy (provider: 50% is a share, and there is no targeting key)", ReasonError, TargetingKeyMissing,
		},
		{"provider's own reason", Config{Provider: provider{Value: "ddsa", Reason: "MOON"}}, "", "ddsa (provider)", ReasonUnknown, ""},
		{"provider without a value", Config{Provider: provider{}}, "", "legacy (default)", ReasonDefault, ""},
		{
			"provider with a wrong value",
			Config{Provider: provider{Value: "on"}},
			"",
			`legacy (provider: unknown runtime "on"; use legacy, ddsa, a share such as 5%, shadow or live)`, ReasonError, ParseError,
		},
		{"provider down", Config{Provider: provider{Value: "ddsa", Err: down}}, "", "legacy (provider: down)", ReasonError, General},
		{
			"provider down, with a code",
			Config{Provider: provider{Err: down, ErrorCode: ProviderNotReady}},
			"",
			"legacy (provider: down)", ReasonError, ProviderNotReady,
		},
		{"provider not asked", Config{Option: "ddsa", Provider: panics{}}, "", "ddsa (option ddsa-runtime)", ReasonStatic, ""},
		{"provider panics", Config{Provider: panics{}}, "", "legacy (provider: panic: moon)", ReasonError, General},
	} {
		d := evaluate(t, c.config, c.key)
		if d.String() != c.want || d.Reason != c.reason || d.ErrorCode != c.code {
			t.Errorf("%s:\ngot  %s, %s, %q\nwant %s, %s, %q", c.name, d, d.Reason, d.ErrorCode, c.want, c.reason, c.code)
		}
		if (d.Err != nil) != (d.Reason == ReasonError) || (d.ErrorCode != "") != (d.Err != nil) {
			t.Errorf("%s: reason %s with code %q and error %v", c.name, d.Reason, d.ErrorCode, d.Err)
		}
		if d.Compared() != strings.Contains(c.want, "compared") {
			t.Errorf("%s: compared %v", c.name, d.Compared())
		}
	}
}

type panics struct{}

func (panics) Resolve(string) Resolution { panic("moon") }

// A kill switch with a slip of the pen is on in the status, too: by that,
// commands run.
func TestSlipInKill(t *testing.T) {
	got := New(Config{Option: "ddsa", Kill: "ture"}).Status()
	if got.Kill != SourceKill || got.Err == nil || got.ErrorCode != ParseError {
		t.Errorf("status %+v", got)
	}
}

func TestShadowSample(t *testing.T) {
	file := write(t, "shadow-sample: 0.25\n")
	for _, c := range []struct {
		config Config
		want   float64
	}{
		{Config{}, DefaultShadowSample},
		{Config{File: file}, 0.25},
		{Config{File: file, ShadowSample: "1"}, 1},
		{Config{ShadowSample: "0"}, 0},
		{Config{ShadowSample: "NaN"}, DefaultShadowSample},
		{Config{ShadowSample: "-0.1"}, DefaultShadowSample},
		{Config{ShadowSample: "1.1"}, DefaultShadowSample},
	} {
		e := New(c.config)
		if got := e.Evaluate("").ShadowSample; got != c.want || e.Status().ShadowSample != c.want {
			t.Errorf("%+v: %v, want %v", c.config, got, c.want)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, name := range []string{Env, KillEnv, FileEnv, ShadowSampleEnv} {
		t.Setenv(name, "value of "+name)
	}
	got := FromEnvironment()
	want := Config{
		Environment: "value of DDSA_RUNTIME", Kill: "value of DDSA_RUNTIME_KILL",
		File: "value of DDSA_RUNTIME_FILE", ShadowSample: "value of DDSA_SHADOW_SAMPLE",
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, c := range []struct {
		name string
		Config
	}{
		{"static", Config{Environment: "ddsa"}},
		{"share", Config{Environment: "25%"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := New(c.Config)
			b.ReportAllocs()
			for b.Loop() {
				e.Evaluate("github.com/owner/repository")
			}
		})
	}
}
