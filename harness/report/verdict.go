package report

import (
	"fmt"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// ending says, if the comparison did not end well, how.
func ending(s *compare.Summary) []string {
	switch {
	case s.Mismatch != nil:
		return mismatch(s.Mismatch)
	case s.Interrupted && s.Blocks == 0:
		return []string{"INTERRUPTED before a round was complete."}
	case s.Interrupted:
		return []string{fmt.Sprintf("INTERRUPTED: the figures are those of the %d rounds that were complete.", s.Blocks)}
	case s.Stopped != "":
		return []string{"NOT COMPLETE: " + plain(s.Stopped) + "."}
	case s.Blocks == 0:
		return []string{"NOT COMPLETE: no round has figures of all arms."}
	}
	return nil
}

// mismatch says who disagrees, and on what.
func mismatch(m *compare.Mismatch) []string {
	what := "The arms found different things"
	if m.Kind == compare.TimeoutsDiffer {
		what = "Different pairs timed out. A longer rule timeout or a quiet machine may help"
	}
	if m.A.Arm == m.B.Arm && m.Kind == compare.FindingsDiffer {
		what = m.A.Arm + " does not find the same each time. A rule may depend on chance or on the clock"
	}
	lines := []string{
		"VOID: findings differ, so the comparison says nothing.",
		"  " + what + ".",
	}
	for _, t := range []compare.Testimony{m.A, m.B} {
		lines = append(lines,
			fmt.Sprintf("  %s, round %d: %d timeouts, findings sha256", plain(t.Arm), t.Round+1, t.Timeouts),
			"    "+plain(t.Findings))
	}
	if len(m.Differences) == 0 {
		return append(lines, "  Where is not known: run once more they did not differ, or did not end.")
	}
	lines = append(lines, "  The first differences when both ran once more:")
	for _, d := range m.Differences {
		rule := d.Rule
		if rule == "" {
			rule = "whole file"
		}
		lines = append(lines, "  "+plain(d.Path)+", "+plain(rule), "    "+says(d.A), "    "+says(d.B))
	}
	return lines
}

func says(f harness.Finding) string {
	text := fmt.Sprintf("%s: %s, %d violations", plain(f.Arm), plain(f.Outcome), f.Violations)
	if f.First != "" {
		text += ", first " + plain(f.First)
	}
	return text
}

// voids lists the samples without figures.
func voids(s *compare.Summary) []string {
	var lines []string
	for _, v := range s.Voids {
		lines = append(lines, fmt.Sprintf("no figures: %s in round %d: %s", plain(v.Arm), v.Round+1, plain(v.Void.String())))
		for _, line := range v.Void.Stderr {
			lines = append(lines, "  "+plain(line))
		}
	}
	return lines
}
