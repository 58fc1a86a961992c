package findings

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A place is a file's place in the order of a corpus: by language, then by the
// SHA-256 of the path.
type place struct {
	language int
	hash     [sha256.Size]byte
}

func placeOf(r *Result) place {
	p := place{language: -1, hash: sha256.Sum256([]byte(r.Path))}
	for rank, l := range languages {
		if l.Language == r.Language {
			p.language = rank
		}
	}
	return p
}

func (p place) before(o place) bool {
	if p.language != o.language {
		return p.language < o.language
	}
	return bytes.Compare(p.hash[:], o.hash[:]) < 0
}

// A tail is what a report has after its results.
type tail struct {
	rules   []RuleCount
	summary Summary
	times   Times
}

// write writes the end of a report.
func (t *tail) write(w io.Writer) error {
	text := []byte("\n]")
	for _, part := range []struct {
		key   string
		value any
	}{{"rules", t.rules}, {"summary", t.summary}, {"times", t.times}} {
		value, err := json.Marshal(part.value)
		if err != nil {
			return err
		}
		text = fmt.Appendf(text, ",\n%q:%s", part.key, value)
	}
	_, err := w.Write(append(text, "}\n"...))
	return err
}

// addTails adds up the shards' tails after it has checked that they are the
// parts of one whole.
func addTails(shards []Shard, tails []tail) (*tail, error) {
	if len(tails) == 0 {
		return nil, fmt.Errorf("there is nothing to merge")
	}
	var sum *tail
	names := map[int]string{} // by the shard's number
	of := 0
	for i := range tails {
		t := &tails[i]
		number, total, err := parsePart(t.summary.Part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shards[i].Name, err)
		}
		if twin := names[number]; twin != "" {
			return nil, fmt.Errorf("%s and %s are both shard %s", twin, shards[i].Name, t.summary.Part)
		}
		names[number] = shards[i].Name
		if sum == nil {
			sum, of = t.whole(), total
			continue
		}
		if err := sum.add(t.whole()); err != nil || total != of {
			if err == nil {
				err = fmt.Errorf("one of %d shards, not of %d", total, of)
			}
			return nil, fmt.Errorf("%s does not belong to %s: %w", shards[i].Name, shards[0].Name, err)
		}
	}
	var missing []string
	for number := 1; number <= of; number++ {
		if names[number] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", number, of))
		}
		if len(missing) > 10 {
			break // enough to see what is wrong
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("shards are missing: %s", strings.Join(missing, ", "))
	}
	return sum, nil
}

// parsePart reads "2/7".
func parsePart(text string) (number, of int, err error) {
	first, second, _ := strings.Cut(text, "/")
	number, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if text == "" {
		return 0, 0, fmt.Errorf("it is no report of a shard; run analyze with --shard")
	}
	if err1 != nil || err2 != nil || number < 1 || number > of {
		return 0, 0, fmt.Errorf("shard %.100q is not I/N", text)
	}
	return number, of, nil
}

// whole is the tail as that of the corpus that the shard is a part of.
func (t *tail) whole() *tail {
	w := *t
	w.summary.Corpus, w.summary.Digest = t.summary.wholeName(), t.summary.Whole
	w.summary.Part, w.summary.Whole = "", ""
	return &w
}

// add adds what can be counted. All else has to be equal; so has the number of
// files that cannot be read, which each shard has for the whole.
func (t *tail) add(o *tail) error {
	a, b := t.summary, o.summary
	t.summary.Files += b.Files
	t.summary.Pairs += b.Pairs
	t.summary.Executions += b.Executions
	t.summary.Visits += b.Visits
	t.summary.Violations += b.Violations
	t.summary.Suppressed += b.Suppressed
	t.summary.Timeouts += b.Timeouts
	t.summary.Errors += b.Errors
	t.summary.Unparsed += b.Unparsed
	for _, s := range []*Summary{&a, &b} {
		s.Files, s.Pairs, s.Executions, s.Visits, s.Violations = 0, 0, 0, 0, 0
		s.Suppressed, s.Timeouts, s.Errors, s.Unparsed = 0, 0, 0, 0
	}
	if a != b {
		return fmt.Errorf("they differ in %s", differences(a, b))
	}
	if len(t.rules) != len(o.rules) || len(t.times.Rules) != len(o.times.Rules) || len(t.rules) != len(t.times.Rules) {
		return fmt.Errorf("their numbers of rules differ")
	}
	for i := range t.rules {
		if err := t.rules[i].add(o.rules[i]); err != nil {
			return err
		}
		t.times.Rules[i].add(o.times.Rules[i])
	}
	t.times.Seconds += o.times.Seconds
	return nil
}

// differences names the fields that differ, as a report does. Both have the same
// fields: those of a part are out by now.
func differences(a, b Summary) string {
	var fields [2]map[string]json.RawMessage
	for i, s := range []Summary{a, b} {
		text, _ := json.Marshal(s)           // strings and numbers
		_ = json.Unmarshal(text, &fields[i]) // an object
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(fields[0])) {
		if x, y := fields[0][name], fields[1][name]; !bytes.Equal(x, y) {
			differ = append(differ, fmt.Sprintf("%s: %s and %s", name, x, y))
		}
	}
	return strings.Join(differ, ", ")
}

func (c *RuleCount) add(o RuleCount) error {
	if c.Rule != o.Rule || c.Language != o.Language {
		return fmt.Errorf("rule %q is in the place of rule %q", o.Rule, c.Rule)
	}
	c.Pairs += o.Pairs
	c.Executions += o.Executions
	c.Visits += o.Visits
	c.Violations += o.Violations
	c.Timeouts += o.Timeouts
	c.Errors += o.Errors
	return nil
}

func (r *RuleTime) add(o RuleTime) {
	r.Seconds += o.Seconds
	if o.Slowest > r.Slowest {
		r.Slowest, r.SlowestPath = o.Slowest, o.SlowestPath
	}
}
