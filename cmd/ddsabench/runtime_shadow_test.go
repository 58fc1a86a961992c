package main

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/findings"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/harness/corpus"
	"github.com/ddsabench/ddsabench/shadow"
)

// On real files, where they are, an executor compared with itself shows no
// mismatch: the comparison adds no noise. Nor do the two executors differ.
func TestShadowOnSmallTier(t *testing.T) {
	long(t)
	from := source{Corpus: "small", Cache: fetched(t, "")}
	from.Rules.Path = builtin
	load, err := from.open()
	if errors.Is(err, corpus.ErrNotFetched) {
		t.Skip("the small tier is not fetched; run: ddsabench corpus fetch small")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer load.close()
	load.isolation = inThread
	for _, c := range []struct {
		variant flags.Variant
		against flags.Runtime
		share   float64
	}{
		{flags.VariantShadow, flags.Legacy, 1}, // the control
		{flags.VariantShadow, flags.DDSA, 0.1},
		{flags.VariantLive, flags.Legacy, 0.1},
	} {
		decision := flags.New(flags.Config{Option: string(c.variant)}).Evaluate("")
		decision.ShadowSample = c.share
		// The limit is far away: a slow machine is not what is tested.
		a := &analysis{
			workload: load, decision: decision, limits: limits(5 * time.Minute), workers: 2, progress: &fileProgress{},
		}
		a.shadow = shadow.New(shadow.Config{
			NewExecutor: func() (executor.Executor, error) { return ddsabench.NewArm(string(c.against), a.limits) },
			Wait:        true,
		})
		defer a.shadow.Close()
		form, err := findings.New("csv", io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.run(t.Context(), form), a.shadow.Drain(t.Context()), a.shadow.Close()); err != nil {
			t.Fatal(err)
		}
		n, files := a.shadow.Counts(), c.share*float64(load.files.Len())
		t.Logf("%s compared with %s: %+v", decision.Value, c.against, n)
		if n.Total() != 0 || n.Dropped+n.Skipped != 0 || float64(n.Files) < files-10 || float64(n.Files) > files+10 {
			t.Errorf("%s compared with %s on a share of %v: %+v, %+v", decision.Value, c.against, c.share, n, a.shadow.Mismatches())
		}
		if stats := a.shadow.Stats(); stats.Executions == 0 {
			t.Error("nothing was executed in the shadow")
		}
	}
}
