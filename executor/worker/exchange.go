//go:build linux

package worker

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// send sends the requests that the worker does not have.
func (r *run) send(p *process) bool {
	r.out = r.out[:0]
	for ; r.sent < len(r.queue); r.sent++ {
		if !r.request(p, r.queue[r.sent]) {
			return false
		}
	}
	ok := len(r.out) == 0 || p.send(r.out) == nil
	if cap(r.out) > maxKept {
		r.out = nil
	}
	return ok
}

// request appends a request for what is missing, and before it the set of rules
// if the worker does not know it.
func (r *run) request(p *process, t *task) bool {
	r.seq++
	t.seq, t.accepted = r.seq, 0
	set, numbers := r.setFor(t.Result.Results)
	set.used = t.seq
	if p.sets[set.number] != set {
		var err error
		if r.out, err = appendGob(r.out, kindRules, newRules{set.number, set.rules}); err != nil {
			return false
		}
		p.sets[set.number] = set
	}
	q := &r.asked
	q.rules = q.rules[:0]
	for _, i := range t.missing {
		q.rules = append(q.rules, numbers[i])
	}
	q.seq, q.set = t.seq, set.number
	q.path, q.language, q.text = t.File.Path, t.File.Language, t.File.Text
	q.same = t.File.ID != 0 && t.File.ID == p.fileID && set == p.fileSet
	p.fileID, p.fileSet = t.File.ID, set
	r.out = q.append(r.out)
	q.text = ""
	return true
}

// receive waits for results and accepts those that come. False means that the
// worker has died, or has to.
func (r *run) receive(p *process) bool {
	for {
		kind, payload, err := p.receive()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil || kind != kindResults || !r.accept(payload) {
			r.verdict = &executor.Error{Outcome: executor.Crashed, Detail: "its worker process sent what makes no sense"}
			return false
		}
		r.lost = 0
		if !p.buffered() {
			p.shrink()
			return true
		}
	}
}

// accept takes the results of a frame. False means that the worker is not to be
// trusted any more; what it said before stays accepted.
func (r *run) accept(payload []byte) bool {
	var t *task
	for _, sent := range r.queue[:r.sent] {
		if t = sent; !t.over {
			break
		}
	}
	d := decoder{rest: payload}
	h := d.batch()
	if d.bad || t == nil || t.over || h.seq != t.seq || h.from != t.accepted {
		return false
	}
	if len(d.rest) == 0 && !h.last {
		return false // it says nothing
	}
	if h.parsed != (executor.Parsed{}) {
		t.Result.Parsed = h.parsed
	}
	if h.failed != "" {
		if !h.last || len(d.rest) > 0 || t.accepted > 0 {
			return false
		}
		r.failFile(t, fileFailure(&h))
		return true
	}
	t.parsed = true
	var entered, ok uint64
	defer func() { r.count(entered, ok) }()
	for len(d.rest) > 0 {
		if len(t.missing) == 0 {
			return false
		}
		pair := r.take(t, &d)
		if pair == nil {
			return false
		}
		if pair.Result.Entered {
			entered++
		}
		if pair.Err == nil {
			ok++
		}
	}
	t.over = len(t.missing) == 0
	return h.last == t.over
}

// maxResults bounds what is kept of one file's results, in bytes as they come.
// What does not fit is lost, and leaves room for what comes after it.
const maxResults = 64 << 20

// tooLarge is the end of an execution whose result does not fit.
func tooLarge(elapsed time.Duration) *executor.Error {
	return &executor.Error{
		Outcome: executor.Script, Elapsed: elapsed,
		Detail: fmt.Sprintf("the file's results together are larger than %d MiB", maxResults>>20),
	}
}

// take accepts one result; nil if there is none to be read.
func (r *run) take(t *task, d *decoder) *executor.PairResult {
	before := len(d.rest)
	result, failure := d.result(&r.options.Limits)
	if d.bad {
		return nil
	}
	if size := before - len(d.rest); t.bytes+size <= maxResults {
		t.bytes += size
	} else {
		result = executor.Result{Entered: result.Entered, Elapsed: result.Elapsed, InV8: result.InV8}
		failure = tooLarge(result.Elapsed)
	}
	i := t.missing[0]
	t.missing = t.missing[1:]
	t.accepted++
	pair := &t.Result.Results[i]
	pair.Result = result
	if failure != nil {
		r.fail(t, i, failure)
	}
	return pair
}

// fileFailure is why the worker could not parse the file.
func fileFailure(h *batch) error {
	if h.known > 0 && h.known <= len(program.FileErrors) {
		return &fileError{h.failed, program.FileErrors[h.known-1]}
	}
	return errors.New(h.failed)
}

// A fileError is a parser's error as it was told in the worker.
type fileError struct {
	text  string
	cause error
}

func (e *fileError) Error() string { return e.text }
func (e *fileError) Unwrap() error { return e.cause }
