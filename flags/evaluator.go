package flags

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// An Evaluator evaluates the flag. All methods may be called at any time from
// any goroutine.
type Evaluator struct {
	provider Provider
	state    atomic.Pointer[state]
	close    func()
}

// New makes an evaluator. It reads c.File, if there is one, and starts a
// goroutine that watches it until Close. What is wrong with c is in Status.Err
// and in the decisions.
func New(c Config) *Evaluator {
	e := &Evaluator{provider: c.Provider, close: func() {}}
	given := c.given()
	if c.File == "" {
		e.state.Store(newState(given, fileState{}, c.Provider != nil))
		return e
	}
	w := &watcher{name: c.File, changed: func(f fileState) {
		after := newState(given, f, c.Provider != nil)
		before := e.state.Swap(after)
		if before != nil && c.OnChange != nil && !before.status.same(after.status) {
			c.OnChange(after.status)
		}
	}}
	w.begin()
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { w.watch(stop) })
	e.close = sync.OnceFunc(func() {
		close(stop)
		running.Wait()
	})
	return e
}

// Evaluate decides for a targeting key: who asks, such as a repository. The
// empty key is none; it cannot be part of a share. Unless a provider is asked,
// this is an atomic load, and a hash if the setting is a share.
func (e *Evaluator) Evaluate(targetingKey string) Decision {
	s := e.state.Load()
	d := s.decision
	if s.askProvider {
		e.ask(&d, targetingKey)
	}
	if d.Setting.ByKey() {
		d.split(targetingKey)
	}
	return d
}

// ask has the provider decide in place of the default.
func (e *Evaluator) ask(d *Decision, targetingKey string) {
	fail := func(code ErrorCode, err error) {
		d.Source = SourceProvider
		d.fail(code, fmt.Errorf("%s: %w", SourceProvider, err))
	}
	defer func() {
		if value := recover(); value != nil {
			fail(General, fmt.Errorf("panic: %v", value))
		}
	}()
	r := e.provider.Resolve(targetingKey)
	setting, err := ParseSetting(r.Value)
	switch {
	case r.Err != nil && r.ErrorCode == "":
		fail(General, r.Err)
	case r.Err != nil:
		fail(r.ErrorCode, r.Err)
	case r.Value == "": // it has no setting
	case err != nil:
		fail(ParseError, err)
	default:
		d.Source = SourceProvider
		d.set(setting, known(r.Reason))
	}
}

// known keeps reasons to a short list, so that they can be a metric's label.
func known(r Reason) Reason {
	switch r {
	case ReasonStatic, ReasonDefault, ReasonSplit, ReasonTargetingMatch, ReasonDisabled:
		return r
	}
	return ReasonUnknown
}

// Status returns what the evaluator knows now. It is an atomic load.
func (e *Evaluator) Status() Status { return e.state.Load().status }

// Close ends the watching of the file and waits for it, and for OnChange if
// that is running. Evaluate goes on to work. Calling it twice is fine. The
// error is always nil.
func (e *Evaluator) Close() error {
	e.close()
	return nil
}
