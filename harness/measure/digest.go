package measure

import (
	"bytes"
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

// A digest is the digest of findings, in two steps, so that it depends on no
// order of files, rules or workers while little is kept:
//
//   - A file's digest is the SHA-256 of one line for each rule of its
//     language, sorted by rule name, each the JSON array [rule, outcome,
//     violations] with the violations in the order in which the rule added
//     them. A file that was not parsed has the one line ["","not parsed",[]].
//   - The whole is the SHA-256 of one line for each file, sorted by language
//     and path, each the JSON array [language, path, the file's digest in hex].
//
// Lines end in "\n". JSON is what encoding/json writes. Times and the texts of
// errors are left out, because they differ from run to run.
type digest struct {
	// order holds for each language the rules' indices sorted by name.
	order map[executor.Language][]int
	heads map[head][]byte
	files []fileDigest
	text  []byte // reused
}

type head struct {
	rule    *executor.Rule
	outcome executor.Outcome
}

type fileDigest struct {
	language executor.Language
	path     string
	sum      [sha256.Size]byte
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
	d.files = append(d.files, fileDigest{r.Language, r.Path, sha256.Sum256(d.text)})
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

func (d *digest) sum() string {
	slices.SortFunc(d.files, func(a, b fileDigest) int {
		return cmp.Or(cmp.Compare(a.language, b.language), cmp.Compare(a.path, b.path), bytes.Compare(a.sum[:], b.sum[:]))
	})
	h := sha256.New()
	for _, f := range d.files {
		h.Write(append(encode([]string{string(f.language), f.path, hex.EncodeToString(f.sum[:])}), '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))
}

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

func sortPairs(pairs []harness.Pair) {
	slices.SortFunc(pairs, func(a, b harness.Pair) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule))
	})
}
