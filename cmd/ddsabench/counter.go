package main

import (
	"context"
	"encoding/json"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/count"
	"github.com/ddsabench/ddsabench/harness/measure"
)

// A counter makes the samples of the counted pass: two children of an arm, both
// counted, the second without files.
type counter struct {
	source source
	runner measure.Runner
}

// Run implements compare.Sampler. A child that cannot be counted is void.
func (c *counter) Run(ctx context.Context, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
	sample, err := c.count(ctx, spec, events)
	if err != nil || sample.Void != nil {
		return sample, err
	}
	nothing := c.source
	nothing.Empty = true
	if spec.Setup, err = json.Marshal(nothing); err != nil {
		return sample, err
	}
	empty, err := c.count(ctx, spec, measure.Events{})
	if err != nil {
		return sample, err
	}
	if sample.Empty = empty.Counted; empty.Void != nil {
		sample.Counted.Notes = append(sample.Counted.Notes, "The run without files gave no figures: "+empty.Void.String()+".")
	}
	return sample, nil
}

// count runs and counts one child.
func (c *counter) count(ctx context.Context, spec measure.JobSpec, events measure.Events) (harness.Sample, error) {
	var counted *harness.Counted
	var failed error
	runner := c.runner
	runner.Attach = func(pid int) (detach func(), err error) {
		counter, err := count.Start(ctx, pid, count.Options{})
		if failed = err; err != nil {
			return nil, err
		}
		return func() { counted, failed = counter.Stop() }, nil
	}
	sample, err := runner.Run(ctx, spec, events)
	switch {
	case ctx.Err() != nil:
		return sample, ctx.Err()
	case failed != nil:
		return harness.Sample{Void: &harness.Void{Cause: harness.Uncounted, Detail: failed.Error()}}, nil
	case err != nil:
		return sample, err
	}
	if sample.Void == nil {
		sample.Counted = counted
	}
	return sample, nil
}
