// Package arm reads the names of a comparison's sides: an executor's name, then
// modifiers that say what else is different, such as ddsa+delay=20us. It does
// not know which executors there are; whoever makes one wraps it with the
// modifiers.
package arm

import (
	"fmt"
	"strings"
	"time"
)

// MaxDelay bounds Delay: more would only be a slip of the pen.
const MaxDelay = time.Second

// Syntax says in a line how an arm is written.
const Syntax = "NAME[+process][+separate][+delay=DURATION][+unsampled][+again]"

// An Arm is one side of a comparison.
type Arm struct {
	// Executor is the executor's name.
	Executor string
	// Process has each executor in a worker process of its own.
	Process bool
	// Separate has each rule's query run by itself, instead of all in one pass
	// over a file's tree. It does not go together with Process.
	Separate bool
	// Delay is added to each execution, as a known difference to be found.
	Delay time.Duration
	// Unsampled leaves the process alone while it works: its threads and memory
	// are not looked at, so that the cost of looking can be measured.
	Unsampled bool
	// Again changes nothing but the name, so that an arm can be compared with
	// itself.
	Again bool
}

// Parse reads an arm. An error says what is wrong with text, and how an arm is
// written.
func Parse(text string) (Arm, error) {
	name, rest, modified := strings.Cut(text, "+")
	a := Arm{Executor: name}
	bad := func(format string, args ...any) (Arm, error) {
		return Arm{}, fmt.Errorf("arm %q: %s; an arm is %s", text, fmt.Sprintf(format, args...), Syntax)
	}
	if name == "" {
		return bad("it names no executor")
	}
	if !modified {
		return a, nil
	}
	marks := map[string]*bool{"process": &a.Process, "separate": &a.Separate, "unsampled": &a.Unsampled, "again": &a.Again}
	for modifier := range strings.SplitSeq(rest, "+") {
		key, value, _ := strings.Cut(modifier, "=")
		mark := marks[modifier]
		switch {
		case mark != nil && !*mark:
			*mark = true
		case key == "delay" && a.Delay == 0:
			d, err := time.ParseDuration(value)
			if err != nil || d <= 0 || d > MaxDelay {
				return bad("delay %q is not a duration above 0 and up to %v", value, MaxDelay)
			}
			a.Delay = d
		case mark != nil || key == "delay":
			return bad("%s stands there twice", key)
		default:
			return bad("unknown modifier %q", modifier)
		}
	}
	if a.Process && a.Separate {
		return bad("process and separate do not go together")
	}
	return a, nil
}

// String is the arm as Parse reads it. Equal arms are written equally.
func (a Arm) String() string {
	text := a.Executor
	if a.Process {
		text += "+process"
	}
	if a.Separate {
		text += "+separate"
	}
	if a.Delay > 0 {
		text += "+delay=" + strings.Replace(a.Delay.String(), "µ", "u", 1) // easier to type
	}
	if a.Unsampled {
		text += "+unsampled"
	}
	if a.Again {
		text += "+again"
	}
	return text
}

// Twin is the same arm under another name: compared with it, a is compared with
// itself.
func (a Arm) Twin() Arm {
	a.Again = !a.Again
	return a
}
