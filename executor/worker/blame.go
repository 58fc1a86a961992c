//go:build linux

package worker

import (
	"slices"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

const (
	// theFile stands in a rule's place for the parsing of the file.
	theFile = -1
	// maxLost is how many workers may die in a row of nobody knows what.
	maxLost = 5
)

// blame decides what a death means.
//
//   - If the worker died while a rule ran, that is the rule's result; while it
//     parsed, that is the file's. If a stranger killed it, the same is done
//     once more before.
//   - If it died elsewhere nobody knows of what, and what is missing is done
//     again. When that has happened maxLost times in a row, it is laid on the
//     rule whose result comes next.
//
// An execution that had ended, but whose result was not sent, is done again if
// the worker had gone on to the next one, and blamed if it was collecting what
// had been found.
func (r *run) blame(d death) {
	t, who, known := r.running(d.place)
	elapsed := time.Duration(0)
	switch v := r.verdict; {
	case v != nil && v.Outcome == executor.Hung && d.place != r.seen:
		d.stranger = true // it went on at the last moment
	case v != nil:
		d.outcome, d.detail, d.stranger = v.Outcome, v.Detail, false
		elapsed = v.Elapsed
	}
	switch {
	case !known:
		if r.lost++; r.lost < maxLost {
			return
		}
		r.lost = 0
	case d.stranger:
		if t.deaths == nil {
			t.deaths = map[int]int{}
		}
		if t.deaths[who]++; t.deaths[who] < 2 {
			return
		}
	}
	failure := &executor.Error{Outcome: d.outcome, Elapsed: elapsed, Detail: d.detail}
	if who == theFile {
		r.failFile(t, r.complete(failure, t.File))
		return
	}
	if known && d.place.phase() != matching {
		result := executor.Result{Entered: true, Elapsed: elapsed}
		if r.options.Limits.InV8 {
			result.InV8 = elapsed
		}
		t.Result.Results[who].Result = result
		r.count(1, 0)
	}
	r.fail(t, who, failure)
	t.missing = slices.DeleteFunc(t.missing, func(i int) bool { return i == who })
	t.over = len(t.missing) == 0
}

// running is the task and rule, or theFile, that the worker was at; if that is
// not known, the rule whose result comes next.
func (r *run) running(at place) (t *task, who int, known bool) {
	for _, t := range r.queue[:r.sent] {
		position, mine := at.position(t.seq)
		if !mine || t.over {
			continue
		}
		position -= t.accepted
		switch at.phase() {
		case parsing:
			return t, theFile, true
		case matching, executing, collecting:
			if 0 <= position && position < len(t.missing) {
				return t, t.missing[position], true
			}
		case idle:
		}
	}
	for _, t := range r.queue {
		if !t.over && len(t.missing) > 0 {
			return t, t.missing[0], false
		} else if !t.over {
			return t, theFile, false
		}
	}
	return nil, 0, false // cannot be: the queue has something that is not over
}
