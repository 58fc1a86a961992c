package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ddsabench/ddsabench"
	"github.com/ddsabench/ddsabench/harness/corpus"
	"github.com/ddsabench/ddsabench/harness/count"
	"github.com/ddsabench/ddsabench/harness/measure"
	"github.com/ddsabench/ddsabench/harness/report"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say what can be measured here, and what is missing",
		Description: "Each line is one thing, whether it is there, and if not, what to do about it.\n" +
			"The exit code is 0 in any case. Nothing is changed.",
		Flags:  []cli.Flag{cacheOption()},
		Action: doctorAction,
	}
}

// A checkup is one thing that doctor looks at.
type checkup struct {
	name string
	ok   bool
	text string
}

func doctorAction(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	cache, err := cacheDir(c)
	if err != nil {
		return err
	}
	list := []checkup{{"V8", true, ddsabench.V8Version()}, cores(), load()}
	list = append(list, counting()...)
	list = append(list, npm())
	for _, s := range corpus.List(cache) {
		list = append(list, tier(c, s))
	}
	return diagnose(c.App.Writer, list)
}

// diagnose prints what was found for a terminal of 80 columns.
func diagnose(w io.Writer, list []checkup) error {
	var b strings.Builder
	for _, l := range list {
		sign, name := "ok", l.name
		if !l.ok {
			sign = "--"
		}
		for _, line := range l.lines() {
			fmt.Fprintf(&b, "%-4s%-15s%s\n", sign, name, line)
			sign, name = "", ""
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lines are the text's: each part that a semicolon ends begins a new one. A
// command to run is not broken, so that it can be copied.
func (l checkup) lines() []string {
	var lines []string
	for part := range strings.SplitSeq(plain(l.text), "; ") {
		if strings.HasPrefix(part, "run: ") {
			lines = append(lines, part)
		} else {
			lines = append(lines, report.Wrap(part, 61)...)
		}
	}
	return lines
}

func cores() checkup {
	mine, err := usableCores()
	if err != nil {
		return checkup{"cores", false, err.Error()}
	}
	text := fmt.Sprintf("%d, Go uses %d", len(mine), runtime.GOMAXPROCS(0))
	if len(mine) < 2 {
		return checkup{"cores", false, text + "; with one, the sampling takes its time from what is measured"}
	}
	return checkup{"cores", true, text}
}

// load is fine as long as a core is free.
func load() checkup {
	average := measure.Load().Average
	text := fmt.Sprintf("%.2f over the last minute", average)
	if average > float64(runtime.NumCPU())-1 {
		return checkup{"load", false, text + "; wait until the machine is quiet, or figures will be noisy"}
	}
	return checkup{"load", true, text}
}

// counting are the ways of counting. One that works is enough.
func counting() []checkup {
	found, err := count.Available()
	var list []checkup
	for _, f := range found {
		text := "for " + f.Gives
		if f.Err != nil {
			text = f.Err.Error() // says what to do
			if source, why, ok := strings.Cut(text, ": "); ok && strings.EqualFold(source, f.Name) {
				text = why
			}
		}
		list = append(list, checkup{f.Name, f.Err == nil, text})
	}
	if err != nil {
		list = append(list, checkup{"counting", false, err.Error()})
	}
	return list
}

func npm() checkup {
	if _, err := exec.LookPath("npm"); err != nil {
		return checkup{"npm", false, "corpus fetch needs it; on Debian, run: apt-get install npm"}
	}
	return checkup{"npm", true, "for corpus fetch"}
}

func tier(c *cli.Context, s corpus.Status) checkup {
	name := "corpus " + s.Tier
	if s.Fetched {
		return checkup{name, true, fmt.Sprintf("%d JavaScript and %d TypeScript files", s.JavaScript, s.TypeScript)}
	}
	return checkup{name, false, fetchFrom(c, fmt.Errorf("%w; run: ddsabench corpus fetch %s", corpus.ErrNotFetched, s.Tier)).Error()}
}
