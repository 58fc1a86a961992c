package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/executor"
)

// The options that several commands have.

func rulesOptions() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Value: builtin, Usage: "`RULES`: a file or folder"},
		&cli.BoolFlag{Name: "skip-broken", Usage: "report broken rules and run the rest", DisableDefaultText: true},
		&cli.BoolFlag{Name: "bypass-checksum", Usage: "take rules with a wrong or no checksum", DisableDefaultText: true},
	}
}

func rulesFrom(c *cli.Context) rulesSource {
	return rulesSource{c.String("rules"), c.Bool("skip-broken"), c.Bool("bypass-checksum")}
}

func runOptions() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Value: runtime.GOMAXPROCS(0), Usage: "`N` JavaScript runtimes at once"},
		&cli.DurationFlag{Name: "rule-timeout", Value: executor.DefaultLimits().Timeout, Usage: "`LIMIT` of one execution; 0: none"},
	}
}

func checkRunOptions(c *cli.Context) error {
	if n := c.Int("workers"); n < 1 {
		return usagef("--workers %d: at least 1 is needed", n)
	}
	if d := c.Duration("rule-timeout"); d < 0 {
		return usagef("--rule-timeout %v is negative; use 0 for none", d)
	}
	return nil
}

// limits are the limits that the command's options give.
func limits(timeout time.Duration) executor.Limits {
	l := executor.DefaultLimits()
	l.Timeout = timeout
	return l
}

func cacheOption() cli.Flag {
	return &cli.StringFlag{Name: "cache", Usage: "`DIR` of corpora", DefaultText: "the user's cache folder"}
}

func cacheDir(c *cli.Context) (string, error) {
	if dir := c.String("cache"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", usagef("no cache folder: %w; name one with --cache", err)
	}
	return filepath.Join(dir, "ddsabench"), nil
}

func gitignoredOption() cli.Flag {
	return &cli.BoolFlag{Name: "gitignored", Usage: "take in what a folder's .gitignore files exclude", DisableDefaultText: true}
}

// oneOf checks an option against the values that it takes.
func oneOf(c *cli.Context, option string, values []string) error {
	if got := c.String(option); !slices.Contains(values, got) {
		return usagef("--%s %q is unknown; known are %s", option, got, strings.Join(values, ", "))
	}
	return nil
}
