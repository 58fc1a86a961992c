package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench/harness/corpus"
)

func corpusCommand() *cli.Command {
	return &cli.Command{
		Name:  "corpus",
		Usage: "fetch, list and verify files to run on",
		Description: "A tier is a fixed selection of files from public npm packages. The tiers are\n" +
			strings.Join(corpus.Tiers(), ", ") + ".",
		Subcommands: []*cli.Command{
			{
				Name: "fetch", Usage: "fetch a tier's packages, select its files",
				Description: "Packages come by npm, and nothing of them is run.",
				ArgsUsage:   "TIER", Flags: []cli.Flag{cacheOption()}, Action: fetchAction,
			},
			{
				Name: "list", Usage: "show the tiers, and which are fetched",
				Flags: []cli.Flag{cacheOption()}, Action: listAction,
			},
			{
				Name: "verify", Usage: "check a fetched tier, print its digest",
				Description: "The selection is made anew from the packages and compared to the one in use.",
				ArgsUsage:   "TIER", Flags: []cli.Flag{cacheOption()}, Action: verifyAction,
			},
		},
	}
}

// tierAndCache are the argument of fetch and verify and the cache folder.
func tierAndCache(c *cli.Context) (tier, cache string, err error) {
	if c.NArg() != 1 {
		return "", "", usagef("%s takes one tier (%s); got %s", commandName(c),
			strings.Join(corpus.Tiers(), ", "), plural(c.NArg(), "argument"))
	}
	cache, err = cacheDir(c)
	return c.Args().First(), cache, err
}

func fetchAction(c *cli.Context) error {
	tier, cache, err := tierAndCache(c)
	if err != nil {
		return err
	}
	return tierError(c, corpus.Fetch(c.Context, cache, tier, func(p corpus.Progress) {
		fmt.Fprintf(c.App.ErrWriter, "%d of %d: %s\n", p.Done, p.Total, p.Step)
	}))
}

func verifyAction(c *cli.Context) error {
	tier, cache, err := tierAndCache(c)
	if err != nil {
		return err
	}
	digest, err := corpus.Verify(c.Context, cache, tier)
	if err != nil {
		return tierError(c, err)
	}
	_, err = fmt.Fprintln(c.App.Writer, digest)
	return err
}

func listAction(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	cache, err := cacheDir(c)
	if err != nil {
		return err
	}
	table := newTable(c.App.Writer)
	fmt.Fprintln(table, "TIER\tPACKAGES\tDOWNLOAD\tFETCHED\tJAVASCRIPT\tTYPESCRIPT")
	for _, s := range corpus.List(cache) {
		fetched := "no\t-\t-"
		if s.Fetched {
			fetched = fmt.Sprintf("yes\t%d\t%d", s.JavaScript, s.TypeScript)
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", s.Tier, len(s.Packages), s.Download, fetched)
	}
	return table.Flush()
}

// tierError makes usage errors of what is the user's to mend.
func tierError(c *cli.Context, err error) error {
	if errors.Is(err, corpus.ErrUnknownTier) || errors.Is(err, corpus.ErrNotFetched) {
		return usage(fetchFrom(c, err))
	}
	return err
}

// openError is for a corpus that cannot be opened: whatever is wrong with it is
// the user's to mend.
func openError(c *cli.Context, err error) error {
	var known *exitError
	if errors.As(err, &known) {
		return err
	}
	return usage(fetchFrom(c, err))
}

// fetchFrom adds the cache folder to the command that the text of ErrNotFetched
// ends with.
func fetchFrom(c *cli.Context, err error) error {
	dir := c.String("cache")
	if dir == "" || !errors.Is(err, corpus.ErrNotFetched) {
		return err
	}
	if strings.ContainsAny(dir, " \t\"'\\$`&;|<>()*?[]#~!{}") {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	}
	return fmt.Errorf("%w --cache %s", err, dir)
}

func newTable(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
}
