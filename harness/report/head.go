package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
)

// A fact is one line of a report's head.
type fact struct{ name, text string }

var languageNames = map[executor.Language]string{
	executor.JavaScript: "JavaScript",
	executor.TypeScript: "TypeScript",
}

// analyzing says how much is analyzed, a line for each language.
func analyzing(h harness.Header) []string {
	var lines []string
	for _, language := range slices.Sorted(maps.Keys(h.Corpus.Counts)) {
		files, rules := h.Corpus.Counts[language], h.Rules.Counts[language]
		if files == 0 || rules == 0 {
			continue
		}
		name := languageNames[language]
		if name == "" {
			name = string(language)
		}
		lines = append(lines, fmt.Sprintf("Analyzing %d %s file%s using %d rule%s", files, name, plural(files), rules, plural(rules)))
	}
	return lines
}

// roundName is a round as a reader counts them: warm-up rounds apart, from 1.
func roundName(h harness.Header, round int) string {
	switch {
	case round < h.Warmup:
		return fmt.Sprintf("warm-up round %d", round+1)
	case round == h.Warmup+h.Rounds:
		return "the counted pass"
	}
	return fmt.Sprintf("round %d", round-h.Warmup+1)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// facts say what was compared, how, and where.
func facts(s *compare.Summary) []fact {
	arms := slices.Clone(s.Header.Arms)
	arms[0] += " (baseline)"
	list := inputs(s.Header)
	if n := s.Header.Merged; n > 0 {
		list = append(list, fact{"merged", fmt.Sprintf("from %d shards: times are sums, peaks the largest", n)})
	}
	if s.Findings != "" {
		list = append(list, fact{"findings", "the same in all samples"}, fact{"", "sha256 " + plain(s.Findings)})
	}
	if s.Older != nil {
		list = append(list, fact{"arm", strings.TrimSuffix(plain(s.Header.Arms[1]), " new")})
		return slices.Concat(list, design(s), sides(s), setting(s.Header)[:2])
	}
	list = append(list, fact{"arms", plain(strings.Join(arms, ", "))})
	return slices.Concat(list, design(s), setting(s.Header))
}

// sides say when and with what the two sides of a diff were measured.
func sides(s *compare.Summary) []fact {
	return []fact{
		{"old", "measured " + measured(*s.Older)},
		{"", program(s.Older.Environment)},
		{"new", "measured " + measured(s.Header)},
		{"", program(s.Header.Environment)},
	}
}

// measured says when a record was made.
func measured(h harness.Header) string { return h.Started.UTC().Format("2006-01-02 15:04 UTC") }

// inputs say what was analyzed.
func inputs(h harness.Header) []fact {
	return []fact{
		{"corpus", plain(h.Corpus.Name)},
		{"", "sha256 " + plain(h.Corpus.Digest)},
		{"rules", plain(h.Rules.Name)},
		{"", "sha256 " + plain(h.Rules.Digest)},
	}
}

// setting says how and where it was analyzed.
func setting(h harness.Header) []fact {
	e := h.Environment
	workers := fmt.Sprintf("%d; rule timeout %v", h.Workers, h.RuleTimeout)
	if len(h.Pinned) > 0 {
		workers += fmt.Sprintf("; pinned to cores %v", h.Pinned)
	}
	return []fact{
		{"workers", workers},
		{"machine", plain(join(e.CPU, strconv.Itoa(e.Cores)+" cores",
			fmt.Sprintf("%.1f GiB", float64(e.Memory)/(1<<30)), e.Kernel))},
		{"program", program(e)},
	}
}

// program says what ran.
func program(e harness.Environment) string {
	return plain(join("commit "+e.Commit, e.Go, "V8 "+e.V8, e.LibC, fmt.Sprintf("GOMAXPROCS %d", e.MaxProcs)))
}

// design says how the samples came about.
func design(s *compare.Summary) []fact {
	h := s.Header
	if s.Unpaired {
		cells := s.Main().Cells
		return []fact{{"samples", fmt.Sprintf("%d old, %d new, not measured side by side", cells[0].N, cells[1].N)}}
	}
	list := []fact{{"rounds", fmt.Sprintf("%d complete of %d, after %d to warm up; seed %d", s.Blocks, h.Rounds, h.Warmup, h.Seed)}}
	for _, o := range s.Orders {
		text := "no effect of coming first or later seen"
		if o.Matters() {
			text = fmt.Sprintf("coming later makes %+.1f%%", 100*(o.Ratio-1))
		}
		if len(s.Orders) > 1 {
			text = plain(o.Arm) + ": " + text
		}
		list = append(list, fact{"order", fmt.Sprintf("%s (p=%.2g)", text, o.P)})
	}
	return list
}

// join joins what is known with commas.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" || strings.HasSuffix(p, " ") }), ", ")
}

// plain is text as it is or, if it could confuse a terminal, quoted. Names of
// files and messages of rules are not ours.
func plain(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		return strconv.Quote(text)
	}
	return text
}
