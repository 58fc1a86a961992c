//go:build linux

package worker

import (
	"fmt"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// watch kills a worker that is over its time or its memory.
func (r *run) watch() {
	p, now := r.process, r.clock.now()
	// Places only grow, so that a worker gains no time by going back and forth,
	// and its word on when it started is good for an earlier time only.
	if at := p.page.place(); at > r.seen {
		r.seen, r.seenAt = at, max(min(p.page.started.Load(), now), r.seenAt)
	}
	took := time.Duration(now - r.seenAt)
	if limit := r.limit(); limit > 0 && took > limit {
		r.verdict = &executor.Error{Outcome: executor.Hung, Elapsed: took}
	} else if ceiling := r.options.Ceiling; p.resident() > ceiling {
		r.verdict = &executor.Error{
			Outcome: executor.Memory, Elapsed: took,
			// Not how much: that differs from run to run.
			Detail: fmt.Sprintf("its worker process used more than %d MiB", ceiling>>20),
		}
	}
	if r.verdict != nil {
		p.kill()
	}
}

// limit is how long the worker may be where it was seen; 0 means for ever.
func (r *run) limit() time.Duration {
	o := &r.options
	for _, t := range r.queue[:min(r.sent, len(r.queue))] {
		if _, mine := r.seen.position(t.seq); !mine {
			continue
		}
		switch r.seen.phase() {
		case matching, executing:
			if o.Limits.Timeout == 0 {
				return 0
			}
			return o.Limits.Timeout + o.Grace
		case parsing:
			if o.ParseLimit == 0 {
				return 0
			}
			return o.ParseLimit + time.Duration(len(t.File.Text))*time.Microsecond + o.Grace
		}
	}
	return startLimit // to start on something, or to hand something over
}
