package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ddsabench/ddsabench/harness/compare"
)

// width is that of a terminal that shows two arms.
const width = 80

// conclusion says in a sentence for each arm what came of the comparison.
func conclusion(s *compare.Summary) []string {
	main := s.Main()
	if main == nil {
		return nil
	}
	var lines []string
	for i, c := range main.Cells {
		if i > 0 && c.Verdict != "" {
			lines = append(lines, Wrap(sentence(s, main, c)+marks(c.Notes), width)...)
		}
	}
	return lines
}

// sentence is the verdict on one arm.
func sentence(s *compare.Summary, main *compare.Row, c compare.Cell) string {
	arm, base := plain(c.Arm), plain(s.Header.Arms[0])
	estimate, interval := change(main.Cells[0], c)
	figures := fmt.Sprintf("%s %s %s, p=%.2g", main.Name, estimate, interval, c.PAdjusted)
	least := percentage(s.Header.MinEffect)
	switch c.Verdict {
	case compare.Same:
		return fmt.Sprintf("%s is as fast as %s, within %s: %s.", arm, base, least, figures)
	case compare.Inconclusive:
		return fmt.Sprintf("INCONCLUSIVE: whether %s is faster or slower than %s, or the same within %s, cannot be told: %s.", arm, base, least, figures)
	case compare.TooNoisy:
		return fmt.Sprintf("TOO NOISY to compare %s with %s: %s. Even ten times the samples would not settle %s; "+
			"a quieter machine or a larger corpus may.", arm, base, figures, least)
	}
	return fmt.Sprintf("%s is %s than %s: %s.", arm, strings.ToUpper(string(c.Verdict)), base, figures)
}

// verdict is a cell's verdict as it is shown: what is equal throughout needs
// nobody's doubt, however few the rounds.
func verdict(c compare.Cell, estimate string) compare.Verdict {
	if estimate == equal && c.Verdict != compare.Same {
		return ""
	}
	return c.Verdict
}

// short is a verdict for a narrow column; legend explains it.
func short(v compare.Verdict) string {
	switch v {
	case compare.Inconclusive:
		return "?"
	case compare.TooNoisy:
		return "noisy"
	}
	return string(v)
}

// legend says what the columns hold.
func legend(s *compare.Summary) []string {
	text, used := method(s), verdicts(s)
	if used[compare.Inconclusive] {
		text += " ?: inconclusive."
	}
	if used[compare.TooNoisy] {
		text += " noisy: too noisy, more samples would not help."
	}
	return Wrap(text, width)
}

// method says how the columns were computed.
func method(s *compare.Summary) string {
	from := "the rounds' ratios"
	if s.Unpaired {
		from = "the ratios of all pairs of an old and a new sample"
	}
	text := fmt.Sprintf("Medians, ± half the range; change from %s with its 95%% interval, estimated from %s.", plain(s.Header.Arms[0]), from)
	if len(verdicts(s)) > 0 {
		text += fmt.Sprintf(" Verdicts are at a minimum effect of %s and a level of 5%%, rows but the main one corrected for their number (Holm).",
			percentage(s.Header.MinEffect))
	}
	return text
}

// verdicts are those that the rows have.
func verdicts(s *compare.Summary) map[compare.Verdict]bool {
	used := map[compare.Verdict]bool{}
	for _, row := range s.Rows {
		for _, c := range row.Cells {
			if c.Change == nil {
				continue
			}
			estimate, _ := change(row.Cells[0], c)
			if v := verdict(c, estimate); v != "" {
				used[v] = true
			}
		}
	}
	return used
}

// notes prints the footnotes, and below them what nothing points to.
func notes(s *compare.Summary) []string {
	var lines []string
	numbered := s.Numbered()
	for i, note := range s.Notes {
		mark := "·"
		if i < numbered {
			mark = marks([]int{i + 1})
		}
		for _, line := range Wrap(plain(note), width-4) {
			lines = append(lines, fmt.Sprintf("%-3s%s", mark, line))
			mark = ""
		}
	}
	return lines
}

// marks are the raised numbers of footnotes.
func marks(notes []int) string {
	var all []string
	for _, n := range notes {
		all = append(all, strings.Map(func(digit rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[digit-'0'] }, strconv.Itoa(n)))
	}
	return strings.Join(all, "˒")
}

// percentage prints a share: 0.01 is 1%.
func percentage(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 3, 64) + "%"
}
