package findings

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Shard is the JSON report of one part of a corpus.
type Shard struct {
	// Name names the report in errors.
	Name string
	// Report is read twice: for what it sums up to, then for its results.
	Report io.ReadSeeker
}

// Merge writes the JSON report of a whole corpus, made of those of all its
// shards. It has the bytes of a report of the whole at once, but for "times":
// there, seconds are summed and the slowest executions kept. Of each report one
// result is in memory at a time.
//
// An error says which report is not whole, does not belong to the others, is
// missing or there twice. With an error, what was written is of no use.
func Merge(w io.Writer, shards []Shard) error {
	var tails []tail
	for _, s := range shards {
		t, err := readTail(s.Report)
		if err != nil {
			return fmt.Errorf("merge: %s: %w", s.Name, err)
		}
		tails = append(tails, t)
	}
	sum, err := addTails(shards, tails)
	if err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	out := bufio.NewWriter(w)
	if err := mergeResults(out, shards); err != nil {
		return fmt.Errorf("merge: %w", err)
	}
	if err := sum.write(out); err != nil {
		return err
	}
	return out.Flush()
}

// mergeResults writes the results of all shards in the order of the whole. Each
// shard has its own in that order.
func mergeResults(out *bufio.Writer, shards []Shard) error {
	if _, err := out.WriteString(`{"results":[`); err != nil {
		return err
	}
	var heads []*results
	for _, s := range shards {
		r, err := openResults(s)
		if err != nil {
			return err
		}
		heads = append(heads, r)
	}
	for comma := ""; ; comma = "," {
		var first *results
		for _, r := range heads {
			if !r.done && (first == nil || r.place.before(first.place)) {
				first = r
			}
		}
		if first == nil {
			return nil
		}
		if _, err := fmt.Fprintf(out, "%s\n%s", comma, first.text); err != nil {
			return err
		}
		if err := first.next(); err != nil {
			return err
		}
	}
}

// A results reads the results of one shard, one at a time.
type results struct {
	name    string
	decoder *json.Decoder
	text    json.RawMessage // the result that comes next
	place   place
	done    bool
}

func openResults(s Shard) (*results, error) {
	decoder, err := rewind(s.Report)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	r := &results{name: s.Name, decoder: decoder}
	return r, r.next()
}

func (r *results) next() error {
	if !r.decoder.More() {
		r.done = true
		return nil
	}
	var result Result
	r.text = r.text[:0]
	err := r.decoder.Decode(&r.text)
	if err == nil {
		err = json.Unmarshal(r.text, &result)
	}
	before := r.place
	if r.place = placeOf(&result); err == nil && r.place.before(before) {
		err = errors.New("its results are not in the order in which analyze writes them")
	}
	if err != nil {
		return fmt.Errorf("%s: result of %.200q: %w", r.name, result.Path, err)
	}
	return nil
}

// rewind reads a report from its start to its first result.
func rewind(report io.ReadSeeker) (*json.Decoder, error) {
	if _, err := report.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(report)
	for _, want := range []json.Token{json.Delim('{'), "results", json.Delim('[')} {
		if got, err := decoder.Token(); err != nil || got != want {
			return nil, errors.New(`this is no JSON report of analyze: it does not start with "results"`)
		}
	}
	return decoder, nil
}

// readTail reads what follows the results.
func readTail(report io.ReadSeeker) (tail, error) {
	var t tail
	decoder, err := rewind(report)
	if err != nil {
		return t, err
	}
	for decoder.More() {
		var skipped json.RawMessage
		if err := decoder.Decode(&skipped); err != nil {
			return t, cutOff(err)
		}
	}
	if _, err := decoder.Token(); err != nil { // the list's end
		return t, cutOff(err)
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return t, cutOff(err)
		}
		switch key {
		case "rules":
			err = decoder.Decode(&t.rules)
		case "summary":
			err = decoder.Decode(&t.summary)
		case "times":
			err = decoder.Decode(&t.times)
		default:
			err = fmt.Errorf("%.100q is unknown; use the program that wrote it", key)
		}
		if err != nil {
			return t, cutOff(err)
		}
	}
	if _, err := decoder.Token(); err != nil || t.summary.RulesDigest == "" {
		return t, cutOff(io.ErrUnexpectedEOF)
	}
	return t, nil
}

// cutOff says what the end of a report in its middle means.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the report is cut off: its analysis did not end")
	}
	return err
}

// wholeName is the corpus's name without its part.
func (s *Summary) wholeName() string { return strings.TrimSuffix(s.Corpus, ", shard "+s.Part) }
