package main

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/worker"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/serve"
	"github.com/ddsabench/ddsabench/syntax"
)

func serveCommand() *cli.Command {
	d := serve.DefaultConfig()
	return &cli.Command{
		Name:  "serve",
		Usage: "analyze files that are sent over HTTP",
		Description: "POST /analyze takes and gives what the original analyzer's server does; see\n" +
			"README for an example. The flag decides for each request, by the header\n" +
			"X-Targeting-Key, or else the repository or file name in the request.\n" +
			"GET /runtime says who answers and why, GET /metrics is for Prometheus.\n\n" +
			"There is no authentication: --listen takes loopback addresses only, unless\n" +
			"--allow-remote is given. SIGTERM has the server answer what it took, and end.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8080", Usage: "`ADDRESS`; port 0: any free", DefaultText: "127.0.0.1:8080"},
			&cli.BoolFlag{Name: "allow-remote", Usage: "any address for --listen, any Host in requests", DisableDefaultText: true},
			runtimeOption(),
			isolationOption(),
		}, runOptions(), []cli.Flag{
			&cli.IntFlag{Name: "queue", Value: d.Queue, Usage: "`N` requests wait; more get status 429"},
			&cli.Int64Flag{Name: "max-body", Value: d.Body, Usage: "`BYTES` of a request"},
			&cli.DurationFlag{Name: "request-timeout", Value: d.RequestTimeout, Usage: "`TIME` of a request, waiting included"},
			&cli.DurationFlag{Name: "drain-delay", Value: d.DrainDelay, Usage: "`TIME` from not ready to not listening"},
			&cli.DurationFlag{Name: "drain-timeout", Value: d.DrainTimeout, Usage: "`TIME` for answers after that"},
		}),
		Action: serveAction,
	}
}

func serveAction(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	address := c.String("listen")
	if err := checkAddress(address, c.Bool("allow-remote")); err != nil {
		return err
	}
	if err := errors.Join(checkRunOptions(c), checkIsolation(c)); err != nil {
		return usage(err)
	}
	if c.Duration("rule-timeout") == 0 {
		return usagef("--rule-timeout 0 would let one rule hold a worker for ever; serve needs a limit")
	}
	log := slog.New(slog.NewJSONHandler(c.App.ErrWriter, nil))
	flag, err := openFlag(c, func(s flags.Status) { logFlag(log, s) })
	if err != nil {
		return err
	}
	defer flag.Close() // cannot fail
	logFlag(log, flag.Status())

	config := serve.DefaultConfig()
	config.NewShadow = func(kind flags.Runtime, l executor.Limits) (executor.Executor, error) {
		// Nobody waits for it, so it takes no processor from those who answer.
		return sandbox(c.String("isolation"), kind, l, func(o *worker.Options) { o.Background = true })
	}
	config.NewRunner = func(kind flags.Runtime, l executor.Limits) (serve.Runner, error) {
		ex, err := sandbox(c.String("isolation"), kind, l)
		if err != nil {
			return nil, err
		}
		return serve.NewRunner(ex), nil
	}
	config.Flag, config.Log, config.Version, config.V8 = flag, log, commit, ddsabench.V8Version()
	config.Limits, config.Workers = limits(c.Duration("rule-timeout")), c.Int("workers")
	config.Queue, config.Body, config.RequestTimeout = c.Int("queue"), c.Int64("max-body"), c.Duration("request-timeout")
	config.AnyHost = c.Bool("allow-remote")
	config.DrainDelay, config.DrainTimeout = c.Duration("drain-delay"), c.Duration("drain-timeout")
	if err := config.Check(); err != nil {
		return usage(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(c.Context, "tcp", address)
	if err != nil {
		return usage(err)
	}
	defer listener.Close() // Serve closes it, too
	server, err := serve.New(config)
	if err != nil {
		return err
	}
	log.Info("listening", "address", listener.Addr().String(), "version", commit)
	err = server.Serve(c.Context, listener)
	if closeErr := server.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		log.Info("ended")
	}
	return err
}

// checkAddress refuses what other machines could reach.
func checkAddress(address string, remote bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return usagef("--listen %q is not HOST:PORT: %w", address, err)
	}
	ip := net.ParseIP(host)
	if remote || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return usagef("--listen %s is not a loopback address; others could run rules on this machine. "+
		"If that is meant, and something in front asks who they are, add --allow-remote", address)
}

func logFlag(log *slog.Logger, s flags.Status) {
	attributes := []any{
		"setting", s.Setting.String(), "source", string(s.Source), "kill", string(s.Kill), "shadow_sample", s.ShadowSample,
	}
	if s.Err != nil {
		log.Warn("flag", append(attributes, "error", strings.ReplaceAll(s.Err.Error(), "\n", "; "))...)
		return
	}
	log.Info("flag", attributes...)
}

// sandbox makes what the server runs rules in, isolated as the option says. A
// worker process is told the rules with each file.
func sandbox(isolation string, kind flags.Runtime, l executor.Limits, change ...func(*worker.Options)) (executor.Executor, error) {
	if isolation == inProcess {
		return ddsabench.NewArmIsolated(string(kind), l, nil, syntax.DefaultOptions(), change...)
	}
	return ddsabench.NewArm(string(kind), l)
}
