package openfeature_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/open-feature/go-sdk/openfeature"
	"github.com/open-feature/go-sdk/openfeature/isolated"
	"github.com/open-feature/go-sdk/openfeature/memprovider"
	"go.uber.org/goleak"

	"github.com/ddsabench/ddsabench/flags"
	. "github.com/ddsabench/ddsabench/flags/openfeature"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sdk returns a client of the SDK whose provider has the flag with the given
// values, by variant, and picks the variant by pick if that is not nil.
func sdk(t *testing.T, values map[string]any, state memprovider.State, pick func(key any) string) *openfeature.Client {
	t.Helper()
	flag := memprovider.InMemoryFlag{Key: flags.Key, State: state, DefaultVariant: "usual", Variants: values}
	if pick != nil {
		choose := func(_ memprovider.InMemoryFlag, c openfeature.FlattenedContext) (any, openfeature.ProviderResolutionDetail) {
			variant := pick(c[openfeature.TargetingKey])
			return values[variant], openfeature.ProviderResolutionDetail{
				Reason: openfeature.TargetingMatchReason, Variant: variant,
			}
		}
		flag.ContextEvaluator = &choose
	}
	api := isolated.NewAPI()
	t.Cleanup(func() {
		if err := api.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	memory := memprovider.NewInMemoryProvider(map[string]memprovider.InMemoryFlag{flags.Key: flag})
	if values == nil {
		memory = memprovider.NewInMemoryProvider(nil)
	}
	if err := api.SetProviderAndWait(t.Context(), memory); err != nil {
		t.Fatal(err)
	}
	return api.NewClient()
}

func TestWithTheSDK(t *testing.T) {
	mobile := func(key any) string {
		if key == "mobile" {
			return "special"
		}
		return "usual"
	}
	for _, c := range []struct {
		name   string
		client *openfeature.Client
		key    string
		want   string // a prefix of the decision
		reason flags.Reason
		code   flags.ErrorCode
	}{
		{"value", sdk(t, map[string]any{"usual": "ddsa"}, memprovider.Enabled, nil), "", "ddsa (provider)", flags.ReasonStatic, ""},
		{"shadow", sdk(t, map[string]any{"usual": "shadow"}, memprovider.Enabled, nil), "", "legacy, compared", flags.ReasonStatic, ""},
		{"share", sdk(t, map[string]any{"usual": "1%"}, memprovider.Enabled, nil), "blog", "ddsa (provider: 1%)", flags.ReasonSplit, ""},
		{
			"target", sdk(t, map[string]any{"usual": "legacy", "special": "ddsa"}, memprovider.Enabled, mobile), "mobile",
			"ddsa (provider)", flags.ReasonTargetingMatch, "",
		},
		{
			"another target", sdk(t, map[string]any{"usual": "legacy", "special": "ddsa"}, memprovider.Enabled, mobile), "shop",
			"legacy (provider)", flags.ReasonTargetingMatch, "",
		},
		{"switched off", sdk(t, map[string]any{"usual": "ddsa"}, memprovider.Disabled, nil), "", "legacy (provider", flags.ReasonDisabled, ""},
		{"no such flag", sdk(t, nil, memprovider.Enabled, nil), "", "legacy (provider: ", flags.ReasonError, flags.FlagNotFound},
		{"not a text", sdk(t, map[string]any{"usual": true}, memprovider.Enabled, nil), "", "legacy (provider: ", flags.ReasonError, flags.TypeMismatch},
		{"wrong text", sdk(t, map[string]any{"usual": "on"}, memprovider.Enabled, nil), "", "legacy (provider: ", flags.ReasonError, flags.ParseError},
		{"no provider set", isolated.NewAPI().NewClient(), "", "legacy (provider)", flags.ReasonDefault, ""},
	} {
		e := flags.New(flags.Config{Provider: New(c.client, Options{Timeout: time.Minute})})
		d := e.Evaluate(c.key)
		if !strings.HasPrefix(d.String(), c.want) || d.Reason != c.reason || d.ErrorCode != c.code {
			t.Errorf("%s: got %s, %s, %q; want %s, %s, %q", c.name, d, d.Reason, d.ErrorCode, c.want, c.reason, c.code)
		}
	}
}

// client is a Client that does what a test says.
type client func(ctx context.Context, key string) (string, error)

func (f client) StringValueDetails(ctx context.Context, flag, _ string, who openfeature.EvaluationContext,
	_ ...openfeature.Option,
) (d openfeature.StringEvaluationDetails, err error) {
	if flag != flags.Key || who.Attribute("plan") != "free" {
		return d, errors.New("wrong question")
	}
	d.Value, err = f(ctx, who.TargetingKey())
	d.Reason = openfeature.CachedReason
	return d, err
}

func attributes(string) map[string]any { return map[string]any{"plan": "free"} }

func TestAttributes(t *testing.T) {
	p := New(client(func(_ context.Context, key string) (string, error) { return key, nil }), Options{
		Timeout: time.Minute, Calls: 1, Attributes: attributes,
	})
	for _, key := range []string{"ddsa", "live", "10%"} { // one call at a time is always free for the next
		if r := p.Resolve(key); r != (flags.Resolution{Value: key, Reason: "CACHED"}) {
			t.Errorf("got %+v", r)
		}
	}
}

// Whatever a provider does, the evaluation returns in time, with legacy.
func TestBadProviders(t *testing.T) {
	for _, c := range []struct {
		name string
		client
		want string
	}{
		{"panics", func(context.Context, string) (string, error) { panic("moon") }, "panic: moon"},
		{"fails", func(context.Context, string) (string, error) { return "ddsa", errors.New("down") }, "down"},
		{"hangs until its context ends", func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			time.Sleep(time.Microsecond)
			return "", ctx.Err()
		}, "no answer in time: 50ms"},
		{"ignores its context", func(context.Context, string) (string, error) {
			time.Sleep(time.Hour)
			return "ddsa", nil
		}, "no answer in time: 50ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				e := flags.New(flags.Config{Provider: New(c.client, Options{Attributes: attributes})})
				d := e.Evaluate("shop")
				if took := time.Since(start); took > DefaultTimeout {
					t.Errorf("it took %v", took)
				}
				if d.Value != flags.Legacy || d.Reason != flags.ReasonError || d.ErrorCode != flags.General ||
					d.Err.Error() != "provider: "+c.want {
					t.Errorf("got %s, %s, %s", d, d.Reason, d.ErrorCode)
				}
				time.Sleep(2 * time.Hour) // the hanging call's end
			})
		})
	}
}

// A hanging provider costs a bounded number of evaluations their timeout; the
// others go on at once, and all is well when it answers again.
func TestHangingProviderIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(client(func(context.Context, string) (string, error) {
			time.Sleep(time.Minute)
			return "ddsa", nil
		}), Options{Calls: 3, Attributes: attributes})
		start := time.Now()
		for range 3 {
			if r := p.Resolve("shop"); !errors.Is(r.Err, ErrTimeout) {
				t.Errorf("got %+v", r)
			}
		}
		if took := time.Since(start); took != 3*DefaultTimeout {
			t.Errorf("3 evaluations took %v", took)
		}
		for range 1000 {
			if r := p.Resolve("shop"); !errors.Is(r.Err, ErrBusy) {
				t.Errorf("got %+v", r)
			}
		}
		if took := time.Since(start); took != 3*DefaultTimeout {
			t.Errorf("the others took %v more", took-3*DefaultTimeout)
		}
		time.Sleep(time.Hour)
		if r := p.Resolve("shop"); !errors.Is(r.Err, ErrTimeout) {
			t.Errorf("it is not asked again: %+v", r)
		}
		time.Sleep(time.Hour)
	})
}
