//go:build linux

package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ddsabench/ddsabench/executor"
)

// How often a worker that dies before it is ready is started again, and how long
// after giving up the next try is made.
const (
	maxStarts    = 5
	firstBackoff = 50 * time.Millisecond
	giveUpFor    = 10 * time.Second
	startLimit   = 30 * time.Second
)

// background is the nice value of a worker in the background.
const background = 10

// A StartError says that no worker became ready. It is executor.ErrUnusable.
type StartError struct {
	Executor string
	// Starts is how many workers were started.
	Starts int
	// Err is why the last one was not ready.
	Err error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("no worker process for %s (started: %d): %v", e.Executor, e.Starts, e.Err)
}

// Is matches executor.ErrUnusable.
func (e *StartError) Is(target error) bool { return target == executor.ErrUnusable }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// A refusal is a worker's own word that it cannot do what was asked.
type refusal string

func (r refusal) Error() string { return string(r) }

// ready returns the worker, or starts one. The error is a *StartError, ctx's, or
// executor.ErrClosed.
func (e *Executor) ready(ctx context.Context) (*process, error) {
	if e.process != nil {
		return e.process, nil
	}
	if e.gaveUp != nil && time.Now().Before(e.retryAt) {
		return nil, e.gaveUp
	}
	backoff := firstBackoff
	for n := 1; ; n++ {
		err := e.start()
		if err == nil {
			e.gaveUp = nil
			return e.process, nil
		}
		if e.closing.Load() {
			return nil, executor.ErrClosed
		}
		var refused refusal
		if n == maxStarts || errors.As(err, &refused) {
			e.gaveUp = &StartError{Executor: e.options.Executor, Starts: n, Err: err}
			e.retryAt = time.Now().Add(giveUpFor)
			return nil, e.gaveUp
		}
		select {
		case <-time.After(backoff):
			backoff *= 2
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// start starts a worker and waits until it is ready.
func (e *Executor) start() error {
	p, err := startProcess()
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.process, e.accepted, e.unsettled = p, 0, 0
	closing := e.closing.Load()
	e.mu.Unlock()
	if closing { // Close did not see the process
		p.kill()
	}
	begin := time.Now()
	p.watch = func() {
		if time.Since(begin) > startLimit {
			p.kill()
		}
	}
	err = e.greet(p)
	if err == nil {
		if e.options.Background {
			// All threads of its group, which is the worker alone. A worker that
			// is dead by now fails at its first file.
			_ = unix.Setpriority(unix.PRIO_PGRP, p.process.Pid, background)
		}
		return nil
	}
	d := e.bury()
	if errors.Is(err, io.EOF) || errors.Is(err, errFrame) {
		err = fmt.Errorf("it died before it was ready: %s", d.detail)
	}
	return err
}

// greet sends the setup and waits for the answer.
func (e *Executor) greet(p *process) error {
	o := &e.options
	frame, err := appendGob(nil, kindSetup, setup{Executor: o.Executor, Limits: o.Limits, Rules: e.sets[0].rules, Parsing: o.Parsing})
	if err != nil {
		return refusal(err.Error())
	}
	if err := p.send(frame); err != nil {
		return err
	}
	kind, payload, err := p.receive()
	switch {
	case err != nil:
		return err
	case kind == kindReady:
		p.sets = map[uint32]*ruleSet{0: e.sets[0]}
		return nil
	case kind == kindRefused:
		return refusal(payload)
	}
	return errFrame
}

// bury ends the worker and keeps its counts. Others may look at them while it is
// waited for, which takes as long as the system takes to end a process.
func (e *Executor) bury() death {
	e.mu.Lock()
	p := e.process
	e.unsettled = e.enteredOnly()
	e.process = nil
	// Its threads are gone, however it ended.
	started := p.page.watchdogsStarted.Load()
	e.stats.WatchdogsStarted += started
	e.stats.WatchdogsEnded += started
	e.mu.Unlock()
	return p.bury()
}
