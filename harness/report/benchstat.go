package report

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"

	"github.com/ddsabench/ddsabench/harness"
)

// Benchstat prints the counted samples in the Go benchmark format, a line for
// each, so that "benchstat -col /arm FILE" compares the arms, and "benchstat
// -ignore commit,go,v8,kernel OLD NEW" two records, of different releases too:
// what is not ignored and differs keeps them in tables apart. The units are the
// rows' keys with the base unit at the end, such as wall-sec. Mind that its test
// is an unpaired one.
func Benchstat(w io.Writer, r *harness.Record) error {
	var b bytes.Buffer
	out := benchfmt.NewWriter(&b)
	if err := units(out); err != nil {
		return err
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		if !timed(s) {
			continue
		}
		result := &benchfmt.Result{
			Config: config(&r.Header),
			Name:   benchmark(&r.Header, s.Arm),
			Iters:  1, // the whole job, once
		}
		for _, row := range harness.Rows {
			if value := row.Value(s); !math.IsNaN(value) {
				result.Values = append(result.Values, benchfmt.Value{Value: value, Unit: benchUnit(row)})
			}
		}
		if err := out.Write(result); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// units says which figures are better when they are smaller or larger.
func units(out *benchfmt.Writer) error {
	for _, row := range harness.Rows {
		better := "lower"
		switch row.Unit {
		case harness.PerSecond:
			better = "higher"
		case harness.Count:
			continue // most only say how much was done
		}
		unit := benchUnit(row)
		if err := out.Write(&benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: better,
		}); err != nil {
			return err
		}
	}
	return nil
}

// benchUnit is a row's key with the unit as benchunit writes it.
func benchUnit(row harness.Row) string {
	key := strings.ReplaceAll(row.Key, "_", "-")
	switch row.Unit {
	case harness.Seconds:
		return key + "-sec"
	case harness.Bytes:
		return key + "-B"
	case harness.PerSecond:
		return key + "/sec"
	}
	return key
}

// benchmark is the name of an arm's benchmark.
func benchmark(h *harness.Header, arm string) benchfmt.Name {
	return benchfmt.Name("Analyze/corpus=" + element(h.Corpus.Name) + "/rules=" + element(h.Rules.Name) +
		"/arm=" + element(arm) + "-" + strconv.Itoa(max(1, h.Environment.MaxProcs)))
}

// element is text as one element of a benchmark's name: without the slash that
// separates elements and the space that ends a name.
func element(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == unicode.ReplacementChar || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, text)
}

// config is what must be equal for samples to be comparable, and what may
// explain it when they differ.
func config(h *harness.Header) []benchfmt.Config {
	e := h.Environment
	var list []benchfmt.Config
	for _, c := range []struct{ key, value string }{
		{"corpus", h.Corpus.Name},
		{"corpus-sha256", h.Corpus.Digest},
		{"rules", h.Rules.Name},
		{"rules-sha256", h.Rules.Digest},
		{"workers", strconv.Itoa(h.Workers)},
		{"rule-timeout", h.RuleTimeout.String()},
		{"cpu", e.CPU},
		{"cores", strconv.Itoa(e.Cores)},
		{"kernel", e.Kernel},
		{"go", e.Go},
		{"v8", e.V8},
		{"commit", e.Commit},
	} {
		if c.value != "" { // an empty value takes a key away
			list = append(list, benchfmt.Config{Key: c.key, Value: []byte(plain(c.value)), File: true})
		}
	}
	return list
}
