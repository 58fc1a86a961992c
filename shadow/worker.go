package shadow

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/ddsabench/ddsabench/executor"
)

// work compares one file after the other until the Comparer is closed.
func (c *Comparer) work() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer c.endExecutor()
	for {
		a, ok := c.next()
		if !ok {
			return
		}
		c.compare(a)
		a.release()
	}
}

// compare runs a file's rules again and compares each with its answer.
func (c *Comparer) compare(a Answer) {
	again := rerun{Comparer: c, Answer: a}
	defer func() {
		if value := recover(); value != nil {
			c.failed(a, again.rule, "panic: "+panicKind(value), fmt.Sprintf("%v\n\n%s", value, debug.Stack()))
			c.endExecutor()
		}
		c.count(func(n *Counts) {
			n.Files++
			n.Skipped += uint64(len(a.Results) - again.judged)
		})
	}()
	ex, err := c.executor()
	if err != nil {
		c.failed(a, "", "no executor could be made", err.Error())
		return
	}
	if err := again.run(ex); err != nil && c.ctx.Err() == nil {
		// One that is executor.ErrUnusable is kept: it tries again by itself, after
		// a pause that a new one would not know of.
		c.failed(a, "", "the file could not be analyzed", err.Error())
	}
}

// A rerun is one answer's second run.
type rerun struct {
	*Comparer
	Answer
	judged int
	rule   string // that runs now
}

// run has ex run the answer's rules, and compares. An error says why none ran.
func (r *rerun) run(ex executor.Executor) error {
	if whole, ok := ex.(executor.FileExecutor); ok {
		return r.whole(whole)
	}
	parser := r.NewParser()
	defer parser.Close() // frees memory, cannot fail
	file, err := parser.Parse(r.Path, r.Language, r.Text)
	if err != nil {
		return err
	}
	for _, p := range r.Results {
		if r.ctx.Err() != nil {
			break
		}
		r.rule = p.Rule.Name
		again := executor.PairResult{Rule: p.Rule}
		again.Result, again.Err = ex.Execute(r.ctx, p.Rule, file)
		r.judge(r.Answer, ex.Name(), p, again)
		r.judged++
	}
	return nil
}

// whole is run with an executor that parses itself.
func (r *rerun) whole(ex executor.FileExecutor) error {
	rules := make([]*executor.Rule, len(r.Results))
	for i, p := range r.Results {
		rules[i] = p.Rule
	}
	file := &executor.File{Path: r.Path, Language: r.Language, Text: r.Text}
	again, err := executor.ExecuteFile(r.ctx, ex, file, rules)
	if err := cmp.Or(err, again.Err); err != nil {
		return err
	}
	for i, p := range r.Results {
		r.judge(r.Answer, ex.Name(), p, again.Results[i])
		r.judged++
	}
	return nil
}

// judge compares one pair and counts it.
func (c *Comparer) judge(a Answer, name string, answered, again executor.PairResult) {
	kind, verdict := differ(answered, again)
	c.count(func(n *Counts) {
		switch verdict {
		case notComparable:
			n.Skipped++
			return
		case different:
			n.Mismatches[kind]++
		}
		n.Pairs++
	})
	if verdict == different {
		c.config.Store.add(Mismatch{
			Kind: kind, Path: a.Path, Language: a.Language, Rule: answered.Rule.Name, Executor: name,
			Answered: side(answered), Shadow: side(again), Difference: difference(answered, again), Text: a.Text,
		})
	}
}

// failed counts and keeps a file on which the shadow failed.
func (c *Comparer) failed(a Answer, rule, what, detail string) {
	c.count(func(n *Counts) { n.Mismatches[Failed]++ })
	c.config.Store.add(Mismatch{
		Kind: Failed, Path: a.Path, Language: a.Language, Rule: rule,
		Shadow: Side{Detail: detail}, Difference: what, Text: a.Text,
	})
}

func (c *Comparer) count(change func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.counts)
}

// executor returns the shadow's executor and makes it where there is none.
// Only the worker sets c.ex, so it may read it without the lock.
func (c *Comparer) executor() (executor.Executor, error) {
	if c.ex != nil {
		return c.ex, nil
	}
	ex, err := c.config.NewExecutor()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ex = ex
	return ex, nil
}

// endExecutor closes the executor, if there is one.
func (c *Comparer) endExecutor() {
	ex := c.ex
	if ex == nil {
		return
	}
	err := closeQuietly(ex)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.past.Add(ex.Stats())
	c.ex, c.err = nil, errors.Join(c.err, err)
}

// closeQuietly makes a panic an error: after one, another is no surprise.
func closeQuietly(ex executor.Executor) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("shadow: panic while closing an executor: %v", value)
		}
	}()
	return ex.Close()
}

// panicKind tells of a panic what cannot hold a file's text.
func panicKind(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", value)
}
