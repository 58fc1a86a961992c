//go:build linux

package worker

import (
	"fmt"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// asleep is after how long without a look the parent counts as stopped itself.
const asleep = time.Second

// watch kills a worker that is over its time or its memory, once: what it does
// until it is dead does not change why.
func (r *run) watch() {
	if r.verdict != nil {
		return
	}
	p, now := r.process, r.clock.now()
	if now-r.looked > int64(asleep) {
		r.listens = now // it was this side that was stopped
	}
	r.looked = now
	at := p.page.place()
	r.look(at, p.page.started.Load(), now)
	limit, since := r.limit()
	took := time.Duration(now - since)
	if limit > 0 && took > limit {
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

// look notes where the worker is. Places only grow, so that it gains no time by
// going back and forth, nor by being where nobody sent it, and its word on when
// it started is good for an earlier time only.
func (r *run) look(at place, started, now int64) {
	if at > r.seen && r.taskAt(at) != nil {
		r.seen, r.seenAt = at, max(min(started, now), r.seenAt)
	}
}

// taskAt is the task that the worker has in hand at a place; nil if it has none
// there.
func (r *run) taskAt(at place) *task {
	for _, t := range r.queue[:min(r.sent, len(r.queue))] {
		if position, mine := at.position(t.seq); mine && position < max(1, t.accepted+len(t.missing)) {
			return t
		}
	}
	return nil
}

// limit is how long the worker may be where it was seen, and since when that
// counts; 0 means for ever.
func (r *run) limit() (limit time.Duration, since int64) {
	o := &r.options
	if t := r.taskAt(r.seen); t != nil {
		switch r.seen.phase() {
		case matching, executing:
			if o.Limits.Timeout == 0 {
				return 0, r.seenAt
			}
			return o.Limits.Timeout + o.Grace, r.seenAt
		case parsing:
			if o.ParseLimit == 0 {
				return 0, r.seenAt
			}
			return o.ParseLimit + time.Duration(len(t.File.Text))*time.Microsecond + o.Grace, r.seenAt
		}
	}
	// To start on something, or to hand something over, which it cannot while
	// nobody listens.
	return startLimit, max(r.seenAt, r.listens)
}
