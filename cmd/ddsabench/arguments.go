package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// optionsFirst moves a command's options in front of its arguments, so that
// "analyze DIR --format json" works: the library stops at the first argument.
// What follows "--" is no option.
func optionsFirst(commands []*cli.Command, args []string) []string {
	command, at := find(commands, args, 1)
	if command == nil {
		return args
	}
	var options, rest []string
	for i := at; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			rest = append(rest, arg)
			continue
		}
		options = append(options, arg)
		if takesValue(command, arg) && i+1 < len(args) {
			i++
			options = append(options, args[i])
		}
	}
	if rest != nil {
		rest = append([]string{"--"}, rest...)
	}
	return slices.Concat(args[:at], options, rest)
}

// find follows the words from args[at] on to the command that they name.
func find(commands []*cli.Command, args []string, at int) (*cli.Command, int) {
	if at >= len(args) {
		return nil, at
	}
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[at]) })
	if i < 0 {
		return nil, at
	}
	if sub, after := find(commands[i].Subcommands, args, at+1); sub != nil {
		return sub, after
	}
	return commands[i], at + 1
}

// takesValue says whether the option's value is the next argument.
func takesValue(command *cli.Command, arg string) bool {
	name := strings.TrimLeft(arg, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			_, boolean := f.(*cli.BoolFlag)
			return !boolean
		}
	}
	return false
}
