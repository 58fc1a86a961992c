package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"
)

func pinOption() cli.Flag {
	return &cli.StringFlag{Name: "pin", Usage: "`CORES` of a child, such as 0,2-3", DefaultText: "all"}
}

// pinned are the cores of --pin, sorted; nil for all.
func pinned(c *cli.Context) ([]int, error) {
	text := c.String("pin")
	if !c.IsSet("pin") {
		return nil, nil
	}
	mine, err := usableCores()
	if err != nil {
		return nil, err
	}
	cores, err := parseCores(text)
	if err != nil {
		return nil, usagef("--pin %q: %w", text, err)
	}
	for _, core := range cores {
		if !slices.Contains(mine, core) {
			return nil, usagef("--pin %q: core %d is not one that this process may use; these are %v", text, core, mine)
		}
	}
	return cores, nil
}

// maxCore bounds the number of a core: the kernel's own sets go no further.
const maxCore = 1023

// parseCores reads a list of numbers and ranges from 0.
func parseCores(text string) ([]int, error) {
	var cores []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, ranged := strings.Cut(strings.TrimSpace(part), "-")
		if !ranged {
			high = low
		}
		from, err := strconv.ParseUint(low, 10, 16)
		to, err2 := strconv.ParseUint(high, 10, 16)
		if err != nil || err2 != nil || from > to || to > maxCore {
			return nil, fmt.Errorf("%q is neither a core's number, from 0, nor a range", part)
		}
		for ; from <= to; from++ {
			cores = append(cores, int(from))
		}
	}
	slices.Sort(cores)
	return slices.Compact(cores), nil
}

// usableCores are the cores that this process may use.
func usableCores() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("cores of this process: %w", err)
	}
	var cores []int
	for core := range maxCore + 1 {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	return cores, nil
}
