package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
)

func newApp(stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:  "ddsabench",
		Usage: "JavaScript rules in V8 under a timeout, watched in two ways",
		Description: "The executor legacy starts a watchdog thread for each execution of a rule,\n" +
			"ddsa keeps one for each JavaScript runtime. compare measures what that is\n" +
			"worth; analyze works with the one that DDSA_RUNTIME names.\n\n" + exitCodes,
		Version:        fmt.Sprintf("%s, V8 %s", commit, ddsabench.V8Version()),
		Writer:         stdout,
		ErrWriter:      stderr,
		ExitErrHandler: func(*cli.Context, error) {}, // run gives the exit code
		OnUsageError:   usageError,
		Action:         noCommand,
		Commands: []*cli.Command{
			compareCommand(), reportCommand(), diffCommand(), calibrateCommand(), doctorCommand(),
			analyzeCommand(), serveCommand(), mergeCommand(), corpusCommand(), rulesCommand(), sampleCommand(),
			tortureCommand(), tortureChildCommand(),
		},
	}
	prepare(app.Commands)
	return app
}

// prepare gives each command what all of them have.
func prepare(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
		if c.Subcommands != nil {
			c.Action = noCommand
			prepare(c.Subcommands)
		} else {
			c.Before = checkRuntime // asking for help does not come here
		}
	}
}

// usageError is for what the library finds wrong with options.
func usageError(c *cli.Context, err error, _ bool) error {
	return usagef("%w; see %s --help", err, c.Command.HelpName)
}

// noCommand runs where a command was expected and none, or an unknown one, was
// given.
func noCommand(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("unknown command %q; see %s --help", c.Args().First(), c.Command.HelpName)
	}
	if len(c.Lineage()) > 2 { // the last one belongs to no command
		return cli.ShowSubcommandHelp(c)
	}
	return cli.ShowAppHelp(c)
}

// noArguments refuses arguments to a command that takes none.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("%s takes no argument; got %q; see %s --help", commandName(c), c.Args().First(), c.Command.HelpName)
	}
	return nil
}

// commandName is the command's name without the program's, which stands before
// every error.
func commandName(c *cli.Context) string {
	_, name, _ := strings.Cut(c.Command.HelpName, " ")
	return name
}
