package report

import (
	"fmt"
	"strings"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// ending says, if the comparison did not end well, how.
func ending(s *compare.Summary) []string {
	switch {
	case s.Mismatch != nil:
		return mismatch(s)
	case s.Interrupted && s.Blocks == 0:
		return []string{"INTERRUPTED before a round was complete."}
	case s.Interrupted && s.Blocks == 1:
		return []string{"INTERRUPTED: the figures are those of the one round that was complete."}
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
func mismatch(s *compare.Summary) []string {
	m := s.Mismatch
	what := "The arms found different things"
	if m.Kind == compare.TimeoutsDiffer {
		what = "Different pairs timed out. A longer rule timeout or a quiet machine may help"
	}
	if m.Kind == compare.FindingsDiffer && isOld(s, m.A.Arm) != isOld(s, m.B.Arm) {
		what = "The old and the new program found different things"
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
			fmt.Sprintf("  %s, %s: %d timeout%s, findings sha256", plain(t.Arm), roundName(headerOf(s, t.Arm), t.Round), t.Timeouts, plural(int(t.Timeouts))),
			"    "+plain(t.Findings))
	}
	if len(m.Differences) == 0 && s.Unpaired {
		return append(lines, "  Records do not say where; compare analyze's findings of the two programs.")
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

// headerOf is the header of the record that the arm's samples are from.
func headerOf(s *compare.Summary, arm string) harness.Header {
	if isOld(s, arm) {
		return *s.Older
	}
	return s.Header
}

// isOld says whether the arm is one of a diff's old record.
func isOld(s *compare.Summary, arm string) bool {
	return s.Older != nil && strings.HasSuffix(arm, " old")
}

func says(f harness.Finding) string {
	text := fmt.Sprintf("%s: %s, %d violation%s", plain(f.Arm), plain(f.Outcome), f.Violations, plural(f.Violations))
	if f.First != "" {
		text += ", first " + plain(f.First)
	}
	return text
}

// voids lists the samples without figures.
func voids(s *compare.Summary) []string {
	var lines []string
	for _, v := range s.Voids {
		lines = append(lines, fmt.Sprintf("no figures: %s in %s: %s", plain(v.Arm), roundName(headerOf(s, v.Arm), v.Round), plain(v.Void.String())))
		for _, line := range v.Void.Stderr {
			lines = append(lines, "  "+plain(line))
		}
	}
	return lines
}
