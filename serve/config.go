package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
)

// A Config is what a Server needs. Start from DefaultConfig; NewRunner and Flag
// have to be set.
type Config struct {
	// NewRunner makes a runner with the executor of that name. It is called on
	// the worker that will use it: once for each worker and executor at the
	// start, and again when a runner has panicked.
	NewRunner func(flags.Runtime, executor.Limits) (Runner, error)
	// NewShadow makes the executor that answers are compared with. It is called
	// on that executor's shadow worker: at the first file, and again after a
	// panic. It must not be nil unless Flag never decides to compare.
	NewShadow func(flags.Runtime, executor.Limits) (executor.Executor, error)
	// Flag decides who answers, once for each request, on the worker that
	// begins it: a slow provider holds up the worker. The server does not close
	// it.
	Flag *flags.Evaluator
	// Limits are those of an execution. A server's rules need a timeout.
	Limits executor.Limits
	// Workers is how many files are analyzed at once; each worker has a
	// runtime of each executor. Queue is how many requests may wait for one.
	Workers, Queue int
	// Readers is how many requests may be read or wait to be checked, and Body
	// how many bytes one may have: together they bound the memory that requests
	// take before they are in the queue.
	Readers int
	Body    int64
	// Answers is about how many bytes of answers are held for clients that have
	// not read them yet. One answer alone may be larger.
	Answers int
	// RequestTimeout bounds a request from when it is read to its answer,
	// waiting included. ReadTimeout bounds the reading, headers included.
	RequestTimeout, ReadTimeout time.Duration
	// Programs is about how many bytes of compiled rules are kept.
	Programs int
	// DrainDelay is how long the server still takes requests when it has been
	// told to end, so that balancers see that it is not ready any more.
	// DrainTimeout is how long it then waits for those that it took.
	DrainDelay, DrainTimeout time.Duration
	// AnyHost takes requests whatever Host they name. Otherwise it has to be
	// localhost or a loopback address, so that no page in a browser gets here
	// by a name of its own that leads to this machine.
	AnyHost bool
	// Log gets one line for each request. It never gets the text of a file or
	// rule.
	Log *slog.Logger
	// Version and V8 are what /version says.
	Version, V8 string
}

// DefaultConfig returns a configuration with all that has a default.
func DefaultConfig() Config {
	return Config{
		Limits:         executor.DefaultLimits(),
		Workers:        1,
		Queue:          64,
		Readers:        128,
		Body:           4 << 20,
		Answers:        64 << 20,
		RequestTimeout: 30 * time.Second,
		ReadTimeout:    10 * time.Second,
		Programs:       64 << 20,
		DrainDelay:     time.Second,
		DrainTimeout:   30 * time.Second,
		Log:            slog.New(slog.DiscardHandler),
	}
}

// Check returns an error that names what makes no sense, with its value.
func (c *Config) Check() error {
	if err := c.Limits.Check(); err != nil {
		return err
	}
	switch {
	case c.NewRunner == nil || c.Flag == nil || c.Log == nil:
		return errors.New("serve: a server needs NewRunner, Flag and Log")
	case c.Limits.Timeout == 0:
		return errors.New("serve: rule timeout 0 would let one rule hold a worker for ever; a server needs a limit")
	}
	var errs error
	for _, v := range []struct {
		name  string
		value any
		good  bool
		want  string
	}{
		{"workers", c.Workers, c.Workers >= 1, "at least 1"},
		{"queue", c.Queue, c.Queue >= 1, "at least 1"},
		{"readers", c.Readers, c.Readers >= 1, "at least 1"},
		{"max-body", c.Body, c.Body >= 1, "at least 1"},
		{"answers", c.Answers, c.Answers >= 1, "at least 1"},
		{"request timeout", c.RequestTimeout, c.RequestTimeout > 0, "above 0"},
		{"read timeout", c.ReadTimeout, c.ReadTimeout > 0, "above 0"},
		{"drain delay", c.DrainDelay, c.DrainDelay >= 0, "at least 0"},
		{"drain timeout", c.DrainTimeout, c.DrainTimeout >= 0, "at least 0"},
	} {
		if !v.good {
			errs = errors.Join(errs, fmt.Errorf("serve: %s must be %s; got %v", v.name, v.want, v.value))
		}
	}
	return errs
}
