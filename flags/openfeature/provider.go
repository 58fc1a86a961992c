package openfeature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/open-feature/go-sdk/openfeature"

	"github.com/ddsabench/ddsabench/flags"
)

// Options bound what a provider can cost. The zero value is the defaults.
type Options struct {
	// Timeout is how long an evaluation waits; 0 means DefaultTimeout.
	Timeout time.Duration
	// Calls is how many calls of the client may be under way at once; 0 means
	// DefaultCalls.
	Calls int
	// Attributes, if it is set, gives what the provider can decide by besides
	// the targeting key. It must not block. It is called on a goroutine of its
	// own for each evaluation, up to Calls at once, and perhaps after Resolve
	// has returned.
	Attributes func(targetingKey string) map[string]any
}

// The defaults of Options.
const (
	DefaultTimeout = 50 * time.Millisecond
	DefaultCalls   = 64
)

// Errors of a provider that does not answer.
var (
	ErrTimeout = errors.New("no answer in time")
	ErrBusy    = errors.New("too many calls without an answer")
)

// A Client is the part of an openfeature.Client that is used.
type Client interface {
	StringValueDetails(ctx context.Context, flag, defaultValue string, evalCtx openfeature.EvaluationContext,
		options ...openfeature.Option) (openfeature.StringEvaluationDetails, error)
}

// A Provider asks an OpenFeature client.
type Provider struct {
	client  Client
	options Options
	calls   chan struct{} // holds a token for each call under way
}

var _ flags.Provider = (*Provider)(nil)

// New makes a source of a client, which has been given its provider.
func New(client Client, o Options) *Provider {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.Calls = cmp.Or(o.Calls, DefaultCalls)
	return &Provider{client: client, options: o, calls: make(chan struct{}, o.Calls)}
}

// Resolve implements flags.Provider. It returns within the timeout, whatever the
// provider does: one that panics, hangs or ignores its context is an error with
// the code GENERAL, and legacy is used. A provider that hangs costs Options.Calls
// evaluations their timeout, and as many goroutines; further ones fail at once
// until it answers.
func (p *Provider) Resolve(targetingKey string) flags.Resolution {
	select {
	case p.calls <- struct{}{}:
	default:
		return flags.Resolution{ErrorCode: flags.General, Err: fmt.Errorf("%w: %d", ErrBusy, p.options.Calls)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.options.Timeout)
	answer := make(chan flags.Resolution, 1) // a late answer finds room, and nobody
	go func() {
		r := p.call(ctx, targetingKey)
		<-p.calls // before the answer, so that it is free for the next evaluation
		answer <- r
		cancel()
	}()
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
	}
	select {
	case r := <-answer: // it came at the same time
		return r
	default:
		return flags.Resolution{ErrorCode: flags.General, Err: fmt.Errorf("%w: %v", ErrTimeout, p.options.Timeout)}
	}
}

// call asks the client, on a goroutine of its own.
func (p *Provider) call(ctx context.Context, targetingKey string) (r flags.Resolution) {
	defer func() {
		if value := recover(); value != nil {
			r = flags.Resolution{ErrorCode: flags.General, Err: fmt.Errorf("panic: %v", value)}
		}
	}()
	var attributes map[string]any
	if p.options.Attributes != nil {
		attributes = p.options.Attributes(targetingKey)
	}
	who := openfeature.NewEvaluationContext(targetingKey, attributes)
	details, err := p.client.StringValueDetails(ctx, flags.Key, string(flags.Legacy), who)
	if err != nil {
		code := flags.ErrorCode(cmp.Or(details.ErrorCode, openfeature.GeneralCode))
		return flags.Resolution{ErrorCode: code, Err: err}
	}
	return flags.Resolution{Value: details.Value, Reason: flags.Reason(details.Reason)}
}
