package harness_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// What a sample may have besides its figures survives writing and reading, and
// if it is there, it is whole.
func TestOptionalParts(t *testing.T) {
	figures := &harness.Figures{
		Languages: map[executor.Language]harness.Counts{}, Outcomes: map[string]uint64{},
		Latency: &harness.Latency{Upto: []time.Duration{1, 20}, Count: []uint64{3, 4}},
	}
	counted := &harness.Counted{
		Source: harness.BPF, Counts: map[harness.Counter]uint64{harness.Mmap: 7}, Allocations: &harness.Allocations{Transient: 3},
	}
	want := harness.Sample{Arm: "a", Round: 1, Traced: true, Figures: figures, Counted: counted}
	var b bytes.Buffer
	w := harness.NewWriter(&b)
	if err := errors.Join(
		w.Header(harness.Header{Schema: harness.Schema, Arms: []string{"a"}, Rounds: 1}), w.Sample(want), w.Closing(harness.Closing{}),
	); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	r, err := harness.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counted, r.Samples[0].Counted); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(figures.Latency, r.Samples[0].Figures.Latency); diff != "" {
		t.Error(diff)
	}
	for _, field := range []string{"upto_ns", "transient"} {
		_, err := harness.Read(strings.NewReader(strings.Replace(text, field, "other", 1)))
		if bad := (*harness.FormatError)(nil); !errors.As(err, &bad) || !strings.HasSuffix(bad.Field, field) {
			t.Errorf("without %s: got %v", field, err)
		}
	}
	for _, c := range []struct{ from, to, field string }{
		{`"languages":{}`, `"languages":null`, "sample.figures.languages"},
		{`"outcomes":{}`, `"outcomes":null`, "sample.figures.outcomes"},
		{`"counts":{"mmap":7}`, `"counts":null`, "sample.counted.counts"},
		{`"count":[3,4]`, `"count":[3]`, "sample.figures.latency"},
		{`"threads":null`, `"threads":[1]`, "sample.series"},
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		_, err := harness.Read(strings.NewReader(changed))
		if bad := (*harness.FormatError)(nil); changed == text || !errors.As(err, &bad) || bad.Field != c.field || bad.Line != 2 {
			t.Errorf("with %s: got %v", c.to, err)
		}
	}
}
