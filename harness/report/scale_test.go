package report

import (
	"testing"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/stats"
)

func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit  harness.Unit
		value float64
		want  string
	}{
		{harness.Count, 0, "0"},
		{harness.Count, 999, "999"},
		{harness.Count, 1007195, "1,007,195"},
		{harness.PerSecond, 6142.4, "6,142"},
		{harness.Seconds, 238, "238.0 s"},
		{harness.Seconds, 0.0000499, "49.90 µs"},
		{harness.Seconds, 3e-10, "0.3000 ns"},
		{harness.Seconds, 0, "0 ns"},
		{harness.Bytes, 346.26 * (1 << 30), "346.3 GiB"},
		{harness.Bytes, 512, "512.0 B"},
	} {
		row := compare.Row{Unit: c.unit, Cells: []compare.Cell{{Description: stats.Description{N: 1, Median: c.value}}}}
		if got := scaleOf(row).print(c.value); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.value, c.unit, got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for ratio, want := range map[float64]string{
		1: "0.0", 1.00001: "0.0", 0.99999: "0.0", 0.836: "-16.4", 1.05: "+5.0",
		2.462: "+146.2", 12.5: "+1,150.0", 0.0003: "-99.97", 0.000001: "-99.9999", 0.002: "-99.8",
	} {
		if got := percent(ratio); got != want {
			t.Errorf("%v: %s, want %s", ratio, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`src/a.js`: `src/a.js`, `say "x" \d`: `say "x" \d`, "ü µs": "ü µs",
		"\x1b[31m": `"\x1b[31m"`, "a\nb": `"a\nb"`, "\u202e": `"\u202e"`, "\xff": `"\xff"`,
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
