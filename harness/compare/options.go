package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/arm"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// The defaults of a comparison.
const (
	DefaultRounds = 10
	DefaultWarmup = 1
	// DefaultMinEffect is one per cent.
	DefaultMinEffect = 0.01
)

// Options say what to compare.
type Options struct {
	// Header is the record's first line, complete but for Schema and Started.
	// Its Arms, Rounds, Warmup, Seed, Workers and RuleTimeout are obeyed.
	Header harness.Header
	// Group, if not 0, is how many rounds in a row are balanced among
	// themselves, as a comparison of their own would be.
	Group int
	// Setup goes to each child as it is.
	Setup json.RawMessage
	// Counting, if set, makes the counted pass: one more sample of each arm
	// after all rounds, with Counted.
	Counting Sampler
	// Progress, if set, is called now and then on Run's goroutine.
	Progress func(Progress)
}

// Progress says how far a comparison is.
type Progress struct {
	// Sample counts from 1 to Samples.
	Sample, Samples int
	// Round counts from 1 to Rounds, warm-up rounds and the counted pass
	// included.
	Round, Rounds int
	Arm           string
	// Warmup samples do not count. Traced ones are the counted pass. Locating
	// is a run that only finds out where findings differ.
	Warmup, Traced, Locating bool
	// Done of Files files are done; both are 0 while the child starts.
	Done, Files int
	// Void, if not empty, says why this sample gave no figures.
	Void string
}

// A Sampler makes one sample. *measure.Runner is one.
type Sampler interface {
	Run(context.Context, measure.JobSpec, measure.Events) (harness.Sample, error)
}

// Check returns an error that names the first option that makes no sense.
func (o Options) Check() error {
	h := o.Header
	sorted := slices.Sorted(slices.Values(h.Arms))
	for _, name := range h.Arms {
		if _, err := arm.Parse(name); err != nil {
			return fmt.Errorf("compare: %w", err)
		}
	}
	switch {
	case len(h.Arms) < 2:
		return fmt.Errorf("compare: %d arms; at least 2 are needed", len(h.Arms))
	case len(slices.Compact(sorted)) < len(h.Arms):
		return fmt.Errorf("compare: arms %q name one twice", h.Arms)
	case h.Rounds < 1:
		return fmt.Errorf("compare: %d rounds; at least 1 is needed", h.Rounds)
	case h.Warmup < 0:
		return fmt.Errorf("compare: %d warm-up rounds; use 0 for none", h.Warmup)
	case max(h.Rounds, h.Warmup) > harness.MaxRounds:
		return fmt.Errorf("compare: %d rounds; at most %d are possible", max(h.Rounds, h.Warmup), harness.MaxRounds)
	case !(h.MinEffect >= 0 && h.MinEffect < 1): // so that NaN is refused
		return fmt.Errorf("compare: minimum effect %v; it is a share, from 0 to below 1", h.MinEffect)
	case o.Group < 0:
		return fmt.Errorf("compare: groups of %d rounds; use 0 for one group", o.Group)
	case h.Workers < 1:
		return fmt.Errorf("compare: %d workers; at least 1 is needed", h.Workers)
	case h.RuleTimeout < 0:
		return fmt.Errorf("compare: rule timeout %v is negative; use 0 for none", h.RuleTimeout)
	}
	return nil
}

// spec is the job of one arm's child.
func (o Options) spec(name string) measure.JobSpec {
	h := o.Header
	a, _ := arm.Parse(name) // Check has read it
	return measure.JobSpec{
		Arm: name, Workers: h.Workers, RuleTimeout: h.RuleTimeout,
		CorpusDigest: h.Corpus.Digest, RulesDigest: h.Rules.Digest,
		Processes: a.Process, Unsampled: a.Unsampled, Setup: o.Setup,
	}
}
