package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ddsabench/ddsabench/executor/executortest/hostile"
)

func (t *torture) json(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(t)
}

// table fits 80 columns.
func (t *torture) table(w io.Writer) error {
	var b strings.Builder
	where := "each script in a process of its own, which has to stop it"
	if t.Isolation == inProcess {
		where = "in worker processes"
	}
	fmt.Fprintf(&b, "V8 %s, %s\nlimit %v, patience %v, heap %d MiB\n",
		t.V8, where, t.limit, t.patience, hostile.Limits(0).Heap>>20)
	for _, run := range t.Runs {
		fmt.Fprintf(&b, "\n%-32s %-13s %9s  %s\n%s\n", run.Runtime, "outcome", "time", "next run", strings.Repeat("─", 66))
		for _, row := range run.Scripts {
			next := row.Next
			switch next {
			case "":
				next = "-"
			case "right":
			default:
				next = "WRONG"
			}
			line := fmt.Sprintf("%-32s %-13s %9v  %s", row.Name, row.Ending, seconds(row.Seconds), next)
			fmt.Fprintln(&b, line)
			if row.Wrong {
				fmt.Fprintf(&b, "    WRONG: it should end with %s, in time; next run: %s\n", strings.Join(row.Right, " or "), plain(row.Next))
			}
		}
		b.WriteString(summary(run.Scripts))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

// summary counts the endings that matter.
func summary(rows []tortureRow) string {
	var inside, unstopped, aborted, right, wrong, slow int
	endings := map[string]int{}
	longest := 0.0
	for _, row := range rows {
		endings[row.Ending]++
		switch row.Ending {
		case hostile.NotStopped:
			unstopped++
		case hostile.Aborts:
			aborted++
		default:
			inside++
			longest = max(longest, row.Seconds)
		}
		if row.Next == "right" {
			right++
		}
		if row.Wrong {
			wrong++
		}
		if row.OutOfTime {
			slow++
		}
	}
	text := fmt.Sprintf("\n%s: %d ended, after %v at most; next run right after %d of them.\n",
		plural(len(rows), "script"), inside, seconds(longest), right)
	var counts []string
	for _, ending := range slices.Sorted(maps.Keys(endings)) {
		counts = append(counts, fmt.Sprintf("%s %d", ending, endings[ending]))
	}
	text += strings.Join(counts, ", ") + ".\n"
	if unstopped+aborted > 0 {
		text += fmt.Sprintf("%d could not be stopped and were killed, %d ended their process.\n", unstopped, aborted)
	}
	if slow > 0 {
		text += fmt.Sprintf("%d ran out of time and should have ended otherwise: on a busy machine that can be.\n", slow)
	}
	if wrong > 0 {
		text += fmt.Sprintf("%d did not end as they should.\n", wrong)
	}
	return text
}
