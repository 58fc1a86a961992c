//go:build linux

package worker

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ddsabench/ddsabench/executor"
)

func full() executor.Result {
	content := "ä"
	return executor.Result{
		Entered: true, Tampered: true, Visits: 3, Output: "o", Query: 1, Elapsed: 5, InV8: 4,
		Violations: []executor.Violation{
			{Start: executor.Position{Line: 1, Col: 2}, End: executor.Position{Line: 3, Col: 1 << 31}, Message: "m\x00\xff"},
			{Fixes: []executor.Fix{{Description: "d", Edits: []executor.Edit{
				{Kind: "ADD", Content: &content}, {Kind: "REMOVE", End: &executor.Position{Line: 9}},
			}}, {}}},
		},
	}
}

// Every field of a result gets to the other side.
func TestResultRoundTrip(t *testing.T) {
	limits := executor.DefaultLimits()
	whole := full()
	for i, v := 0, reflect.ValueOf(whole); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves out %s", v.Type().Field(i).Name)
		}
	}
	failure := &executor.Error{Outcome: executor.Hung, Elapsed: time.Second, Detail: "d", Err: errors.New("cause")}
	for _, c := range []struct {
		result executor.Result
		err    error
	}{{executor.Result{}, nil}, {whole, nil}, {executor.Result{Entered: true, Elapsed: 1}, failure}, {executor.Result{Query: 7}, nil}} {
		b := appendResult(nil, &c.result, c.err)
		d := decoder{rest: b}
		result, err := d.result(&limits)
		if diff := cmp.Diff(c.result, result); diff != "" || d.bad || len(d.rest) > 0 {
			t.Errorf("bad %v, %d bytes left, %s", d.bad, len(d.rest), diff)
		}
		if c.err != nil && (err.Outcome != failure.Outcome || err.Elapsed != failure.Elapsed || err.Detail != "d" || err.Err.Error() != "cause") {
			t.Errorf("%+v", err)
		}
		for n := range b { // cut short, it is a fault
			if d := (decoder{rest: b[:n]}); !func() bool { d.result(&limits); return d.bad }() {
				t.Errorf("%d of %d bytes are read without a fault", n, len(b))
			}
		}
	}
	if b := appendResult(nil, &executor.Result{}, nil); len(b) != 1 {
		t.Errorf("a pair without a match takes %d bytes", len(b))
	}
}

func TestRequestRoundTrip(t *testing.T) {
	sent := request{seq: 1 << 40, set: 3, path: "p", language: executor.TypeScript, rules: []uint32{0, 300}, text: "text\xff"}
	b := sent.append(nil)
	if frameLength(b) != len(b)-headLength || b[headLength] != kindFile {
		t.Fatalf("%q", b)
	}
	var got request
	if !got.decode(b[headLength+1:]) || !reflect.DeepEqual(got, sent) {
		t.Errorf("got %+v", got)
	}
}

func TestPlace(t *testing.T) {
	last := place(0)
	for _, p := range []place{
		newPlace(1, 0, parsing), newPlace(1, 0, matching), newPlace(1, 0, executing), newPlace(1, 0, collecting),
		newPlace(1, 1, matching), newPlace(1, maxPosition, collecting), newPlace(2, 0, parsing),
	} {
		if p <= last {
			t.Errorf("%x does not come after %x", p, last)
		}
		last = p
	}
	if n, mine := newPlace(1<<32|7, 5, executing).position(7); n != 5 || !mine {
		t.Error(n, mine)
	}
	if _, mine := newPlace(8, 5, executing).position(7); mine {
		t.Error("another request's place")
	}
}

// Whatever a worker sends, the parent reads no further than it goes, and keeps
// no more than the limits allow.
func FuzzResults(f *testing.F) {
	r := full()
	h := batch{seq: 1, from: 2, last: true, parsed: executor.Parsed{Parse: 1}}
	f.Add(appendResult(h.append(nil), &r, nil)[headLength+1:])
	h.failed, h.known = "failed", 1
	f.Add(h.append(nil)[headLength+1:])
	f.Add(appendResult((&batch{}).append(nil), &executor.Result{}, &executor.Error{Outcome: executor.Script, Detail: "d"})[headLength+1:])
	limits := executor.DefaultLimits()
	limits.Violations = 10
	f.Fuzz(func(t *testing.T, payload []byte) {
		d := decoder{rest: payload}
		d.batch()
		for n := 0; len(d.rest) > 0; n++ {
			if n > len(payload) {
				t.Fatal("more results than bytes")
			}
			result, err := d.result(&limits)
			if d.bad {
				break
			}
			parts := 0
			for _, v := range result.Violations {
				for _, fix := range v.Fixes {
					parts += 1 + len(fix.Edits)
				}
			}
			if len(result.Violations) > limits.Violations || parts > 10*limits.Violations {
				t.Fatalf("%d violations, %d parts", len(result.Violations), parts)
			}
			if err != nil && (err.Outcome == executor.OK || err.Outcome >= executor.OutcomeCount) {
				t.Fatalf("outcome %d", err.Outcome)
			}
		}
	})
}

// Whatever a worker answers, each execution has at most one result, the first
// that came in its turn, and an answer that is accepted brings the end nearer.
func FuzzAccept(f *testing.F) {
	r := full()
	first := appendResult((&batch{seq: 1}).append(nil), &r, nil)
	rest := appendResult((&batch{seq: 1, from: 1, last: true}).append(nil), &executor.Result{}, &executor.Error{Outcome: executor.Timeout})
	rest = appendResult(rest, &executor.Result{Entered: true}, nil)
	f.Add(first[headLength+1:], rest[headLength+1:], rest[headLength+1:])
	f.Add(first[headLength+1:], first[headLength+1:], rest[headLength+1:])
	f.Add((&batch{seq: 1, last: true, failed: "failed"}).append(nil)[headLength+1:], first[headLength+1:], []byte{})
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		const rules = 3
		r := accepting(rules)
		task := r.queue[0]
		for _, payload := range [][]byte{a, b, c} {
			had, over, before := task.accepted, task.over, slices.Clone(task.Result.Results)
			ok := r.accept(payload)
			switch {
			case ok && (over || task.accepted == had && !task.over):
				t.Fatal("an answer was accepted that says nothing")
			case task.accepted+len(task.missing) != rules && task.parsed:
				t.Fatalf("%d results, %d missing", task.accepted, len(task.missing))
			case ok && task.over && len(task.missing) > 0 && task.Result.Err == nil:
				t.Fatalf("it is over and misses %v", task.missing)
			}
			if diff := cmp.Diff(before[:had], task.Result.Results[:had], cmp.Comparer(func(a, b error) bool { return a == b })); diff != "" {
				t.Fatalf("a result has changed: %s", diff)
			}
			if !ok {
				return
			}
		}
	})
}
