package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
	"github.com/ddsabench/ddsabench/syntax"
)

func rulesCommand() *cli.Command {
	return &cli.Command{
		Name:  "rules",
		Usage: "check, test and list rules",
		Subcommands: []*cli.Command{
			{Name: "check", Usage: "report every fault of the rules", Flags: rulesOptions(), Action: checkAction},
			{
				Name: "test", Usage: "run the rules' own tests",
				Flags: append(rulesOptions(), runtimeOption()), Action: testAction,
			},
			{Name: "list", Usage: "list the rules", Flags: rulesOptions(), Action: listRulesAction},
		},
	}
}

// loadRules loads the rules of the rules command's options.
func loadRules(c *cli.Context) (*ruleBook, error) {
	if err := noArguments(c); err != nil {
		return nil, err
	}
	book, err := rulesFrom(c).load()
	if err != nil {
		return nil, err
	}
	book.warn(c.App.ErrWriter)
	return book, nil
}

func checkAction(c *cli.Context) error {
	book, err := loadRules(c)
	if err != nil {
		return err
	}
	defer book.close()
	_, err = fmt.Fprintf(c.App.Writer, "no faults in %s\n", plural(len(book.all()), "rule"))
	return err
}

func listRulesAction(c *cli.Context) error {
	book, err := loadRules(c)
	if err != nil {
		return err
	}
	defer book.close()
	table := newTable(c.App.Writer)
	fmt.Fprintln(table, "RULE\tLANGUAGE\tSEVERITY\tCATEGORY\tTESTS")
	for _, r := range rules.All(book.sets) {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\n", plain(r.Name), r.Language, r.Severity, r.Category, len(r.Tests))
	}
	return table.Flush()
}

func testAction(c *cli.Context) error {
	decision, err := decide(c)
	if err != nil {
		return err
	}
	book, err := loadRules(c)
	if err != nil {
		return err
	}
	defer book.close()
	ex, err := ddsabench.New(decision, executor.DefaultLimits())
	if err != nil {
		return err
	}
	defer ex.Close() // nothing runs in it
	p := book.queries.NewParser(syntax.DefaultOptions())
	defer p.Close() // frees memory, cannot fail
	parse := func(language executor.Language, path, text string) (*executor.File, error) {
		return p.Parse(path, language, text)
	}

	tests, failed := 0, 0
	for _, r := range rules.All(book.sets) {
		results := rules.Test(c.Context, ex, r, parse)
		if err := c.Context.Err(); err != nil {
			return err
		}
		for _, t := range results {
			tests++
			if !t.Passed() {
				failed++
				fmt.Fprintln(c.App.Writer, failure(t))
			}
		}
	}
	if _, err := fmt.Fprintf(c.App.Writer, "%s, %s, %d failed\n",
		plural(len(book.all()), "rule"), plural(tests, "test"), failed); err != nil {
		return err
	}
	if failed > 0 {
		return &exitError{exitViolations, fmt.Errorf("%s failed", plural(failed, "rule test"))}
	}
	return nil
}

// failure is a failed test in one line.
func failure(t rules.TestResult) string {
	r := t.Rule
	text := fmt.Sprintf("%s: test %d (%s): ", plain(r.Name), t.Index+1, plain(r.Tests[t.Index].Filename))
	if t.Err != nil {
		return text + plain(t.Err.Error())
	}
	return text + fmt.Sprintf("%s expected, %d found", plural(t.Want, "violation"), t.Found)
}
