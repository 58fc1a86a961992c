package compare

import (
	"errors"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

func TestMismatchKind(t *testing.T) {
	pair := harness.Pair{Language: executor.JavaScript, Path: "a.js", Rule: "r"}
	difference := func(a, b executor.Outcome) harness.Difference {
		return harness.Difference{Pair: pair, A: harness.Finding{Outcome: a.String()}, B: harness.Finding{Outcome: b.String()}}
	}
	for name, c := range map[string]struct {
		timedOut    []harness.Pair // in the second sample
		differences []harness.Difference
		want        Kind
	}{
		"not located, same timeouts": {nil, nil, FindingsDiffer},
		"not located, timeouts":      {[]harness.Pair{pair}, nil, TimeoutsDiffer},
		"only timeouts":              {[]harness.Pair{pair}, []harness.Difference{difference(executor.OK, executor.Timeout)}, TimeoutsDiffer},
		"timeouts and more": {
			[]harness.Pair{pair},
			[]harness.Difference{difference(executor.OK, executor.Timeout), difference(executor.OK, executor.Script)},
			FindingsDiffer,
		},
	} {
		a, b := good("f", 1), good("g", 1)
		a.Arm, b.Arm = "legacy", "ddsa"
		b.Figures.TimedOut = c.timedOut
		s := Summarize(&harness.Record{
			Header: options(1).Header, Samples: []harness.Sample{a, b}, Differences: c.differences, Closing: &harness.Closing{},
		})
		if s.Mismatch == nil || s.Mismatch.Kind != c.want {
			t.Errorf("%s: %+v, want %s", name, s.Mismatch, c.want)
		}
	}
}

// A record that was cut off is judged by what is there, and called incomplete.
func TestSummarizeCutOff(t *testing.T) {
	a := good("f", 1)
	a.Arm, a.Round = "legacy", 1
	s := Summarize(&harness.Record{Header: options(3).Header, Samples: []harness.Sample{a}})
	if !errors.Is(s.Err(), ErrIncomplete) || s.Stopped == "" || s.Rows[0].Cells[0].N != 1 || s.Rows[0].Cells[1].N != 0 {
		t.Errorf("%v, %s, %+v", s.Err(), s.Stopped, s.Rows[0])
	}
}
