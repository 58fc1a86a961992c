package measure

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// notParsed stands in the outcome's place for a file that no rule ran on.
const notParsed = "not parsed"

// FindingsMethod names the method of digest in a record. It changes when the same
// findings would have another digest.
const FindingsMethod = "sum256"

// A digest is the digest of findings, in two steps, so that it depends on no
// order of files, rules or workers, and nothing is kept of a file:
//
//   - A file's digest is the SHA-256 of one line for each rule of its
//     language, sorted by rule name, each the JSON array [rule, outcome,
//     violations] with the violations in the order in which the rule added
//     them. A file that was not parsed has the one line ["","not parsed",[]].
//   - The whole is the sum, modulo 2^256, of the SHA-256s of one line for each
//     file, the JSON array [language, path, the file's digest in hex]. So the
//     digests of a corpus's parts add up to that of the whole.
//
// Lines end in "\n". JSON is what encoding/json writes. Times and the texts of
// errors are left out, because they differ from run to run.
type digest struct {
	// order holds for each language the rules' indices sorted by name.
	order map[executor.Language][]int
	heads map[head][]byte
	whole setSum
	text  []byte // reused
}

type head struct {
	rule    *executor.Rule
	outcome executor.Outcome
}

func newDigest(rules map[executor.Language][]*executor.Rule) *digest {
	d := &digest{order: map[executor.Language][]int{}, heads: map[head][]byte{}}
	for language, list := range rules {
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].Name, list[b].Name) })
		d.order[language] = order
	}
	return d
}

func (d *digest) add(r *executor.FileResult) {
	d.text = d.text[:0]
	if r.Err != nil {
		d.text = append(d.text, `["","`+notParsed+`",[]]`+"\n"...)
	}
	if len(r.Results) > 0 {
		for _, i := range d.order[r.Language] {
			d.pair(&r.Results[i])
		}
	}
	sum := sha256.Sum256(d.text)
	line := append(encode([]string{string(r.Language), r.Path, hex.EncodeToString(sum[:])}), '\n')
	d.whole.add(sha256.Sum256(line))
}

// pair appends one rule's line. Most pairs find nothing, so the line's head is
// kept rather than made again.
func (d *digest) pair(p *executor.PairResult) {
	key := head{p.Rule, outcomeOf(p.Err)}
	text, ok := d.heads[key]
	if !ok {
		text = append([]byte{'['}, encode(p.Rule.Name)...)
		text = append(append(append(text, ','), encode(key.outcome.String())...), ',')
		d.heads[key] = text
	}
	d.text = append(d.text, text...)
	if len(p.Result.Violations) == 0 {
		d.text = append(d.text, "[]"...)
	} else {
		d.text = append(d.text, encode(p.Result.Violations)...)
	}
	d.text = append(d.text, "]\n"...)
}

func (d *digest) sum() string { return d.whole.String() }

// findings calls each for the pairs of a file that found something or did not
// end well.
func (d *digest) findings(r *executor.FileResult, arm string, each func(harness.Pair, harness.Finding)) {
	if r.Err != nil {
		each(harness.Pair{Language: r.Language, Path: r.Path}, harness.Finding{Arm: arm, Outcome: notParsed})
	}
	for i := range r.Results {
		p := &r.Results[i]
		o := outcomeOf(p.Err)
		if o == executor.OK && len(p.Result.Violations) == 0 {
			continue
		}
		f := harness.Finding{Arm: arm, Outcome: o.String(), Violations: len(p.Result.Violations)}
		if f.Violations > 0 {
			sum := sha256.Sum256(encode(p.Result.Violations))
			f.Digest = hex.EncodeToString(sum[:])
			v := p.Result.Violations[0]
			f.First = fmt.Sprintf("%d:%d %.100q", v.Start.Line, v.Start.Col, v.Message)
		}
		each(harness.Pair{Language: r.Language, Path: r.Path, Rule: p.Rule.Name}, f)
	}
}

// outcomeOf is the outcome of an execution that returned err.
func outcomeOf(err error) executor.Outcome {
	if err == nil {
		return executor.OK
	}
	if e := (*executor.Error)(nil); errors.As(err, &e) {
		return e.Outcome
	}
	return executor.Internal
}

// encode is json.Marshal for values that have a JSON form.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only strings, numbers and structs of them come here
	}
	return text
}

// SortPairs sorts by language, then path, then rule.
func SortPairs(pairs []harness.Pair) {
	slices.SortFunc(pairs, func(a, b harness.Pair) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule))
	})
}
