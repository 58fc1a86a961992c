package findings

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/rules"
)

// mergeRules are two rules for each language.
func mergeRules() []*rules.Rule {
	var all []*rules.Rule
	for _, l := range languages {
		for _, name := range []string{"a", "b"} {
			all = append(all, &rules.Rule{Rule: executor.Rule{Name: l.name + "/" + name, Language: l.Language}})
		}
	}
	return all
}

// mergeFiles are results in a corpus's order.
func mergeFiles(all []*rules.Rule, n int) []*executor.FileResult {
	rng := rand.New(rand.NewPCG(1, 2))
	var files []*executor.FileResult
	for i := range n {
		l := languages[rng.IntN(len(languages))].Language
		f := &executor.FileResult{Path: fmt.Sprintf("p/%d <&>\u2028.%s", i, l), Language: l}
		if rng.IntN(10) == 0 {
			f.Err = fmt.Errorf("not parsed")
		}
		for _, r := range all {
			if r.Language != l || f.Err != nil {
				continue
			}
			p := executor.PairResult{Rule: &r.Rule}
			p.Result.Entered, p.Result.Visits, p.Result.Elapsed = true, i%3, time.Duration(i)
			for range rng.IntN(3) {
				p.Result.Violations = append(p.Result.Violations, executor.Violation{Message: "m\u00e9\n"})
			}
			if rng.IntN(7) == 0 {
				p.Err = &executor.Error{Outcome: executor.Timeout, Limit: time.Second}
			}
			f.Results = append(f.Results, p)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *executor.FileResult) int {
		x, y := sha256.Sum256([]byte(a.Path)), sha256.Sum256([]byte(b.Path))
		return cmp.Or(cmp.Compare(a.Language, b.Language), bytes.Compare(x[:], y[:]))
	})
	return files
}

// reportOf is the JSON report of files, as of a part of a corpus or the whole.
func reportOf(t *testing.T, all []*rules.Rule, part string, files []*executor.FileResult) string {
	t.Helper()
	h := &Head{Executor: "ddsa", Corpus: "c", Digest: "whole", RulesDigest: "r", Unread: 2, Rules: all}
	if part != "" {
		h.Corpus, h.Digest, h.Part, h.Whole = "c, shard "+part, "part "+part, part, "whole"
	}
	var b bytes.Buffer
	form, err := New("json", &b)
	if err != nil {
		t.Fatal(err)
	}
	totals := &Totals{Elapsed: time.Duration(len(files)) * time.Second, Suppressed: len(files)}
	if err := form.Begin(h); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		totals.Add(f)
		if err := form.File(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.End(h, totals); err != nil {
		t.Fatal(err)
	}
	if err := form.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shardReports are the reports of n shards of the files.
func shardReports(t *testing.T, all []*rules.Rule, files []*executor.FileResult, n int) []string {
	t.Helper()
	parts := make([][]*executor.FileResult, n)
	for _, f := range files {
		i := int(sha256.Sum256([]byte(f.Path))[31]) % n
		parts[i] = append(parts[i], f)
	}
	var reports []string
	for i, part := range parts {
		reports = append(reports, reportOf(t, all, fmt.Sprintf("%d/%d", i+1, n), part))
	}
	return reports
}

func merged(reports ...string) (string, error) {
	var shards []Shard
	for i, r := range reports {
		shards = append(shards, Shard{Name: fmt.Sprintf("%d.json", i+1), Report: strings.NewReader(r)})
	}
	var b bytes.Buffer
	err := Merge(&b, shards)
	return b.String(), err
}

var timesOf = regexp.MustCompile(`(?s)"times":.*`)

// The shards' reports, in any order, come to the report of the whole: to the
// byte, but for the times.
func TestMergeIsTheWhole(t *testing.T) {
	all := mergeRules()
	for _, files := range []int{0, 1, 200} {
		list := mergeFiles(all, files)
		whole := reportOf(t, all, "", list)
		for _, n := range []int{1, 2, 7, 30} {
			reports := shardReports(t, all, list, n)
			slices.Reverse(reports)
			got, err := merged(reports...)
			if err != nil {
				t.Fatal(err)
			}
			if timesOf.ReplaceAllString(got, "") != timesOf.ReplaceAllString(whole, "") {
				t.Errorf("%d shards of %d files come to\n%s\nwant\n%s", n, files, got, whole)
			}
			if want := fmt.Sprintf(`"times":{"seconds":%d,`, files); !strings.Contains(got, want) {
				t.Errorf("%d shards: times %s", n, timesOf.FindString(got))
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	all := mergeRules()
	list := mergeFiles(all, 40)
	good := shardReports(t, all, list, 3)
	with := func(i int, old, changed string) []string {
		bad := slices.Clone(good)
		bad[i] = strings.Replace(bad[i], old, changed, 1)
		if bad[i] == good[i] {
			t.Fatalf("no %q in report %d", old, i)
		}
		return bad
	}
	lines := strings.SplitAfter(good[1], "\n")
	lines[1], lines[9] = lines[9], lines[1]
	for name, test := range map[string]struct {
		reports []string
		says    string
	}{
		"none":             {nil, "nothing to merge"},
		"one missing":      {[]string{good[0], good[2]}, "shards are missing: 2/3"},
		"one twice":        {[]string{good[0], good[1], good[1], good[2]}, "2.json and 3.json are both shard 2/3"},
		"a whole":          {[]string{reportOf(t, all, "", list)}, "1.json: it is no report of a shard"},
		"other number":     {with(1, `"part":"2/3"`, `"part":"2/4"`), "2.json does not belong to 1.json"},
		"bad part":         {with(1, `"part":"2/3"`, `"part":"9/3"`), `shard "9/3" is not I/N`},
		"other files":      {with(1, `"whole_sha256":"whole"`, `"whole_sha256":"x"`), "2.json does not belong to 1.json"},
		"other rules":      {with(2, `"rules_sha256":"r"`, `"rules_sha256":"x"`), "3.json does not belong to 1.json"},
		"other executor":   {with(2, `"executor":"ddsa"`, `"executor":"legacy"`), `3.json does not belong to 1.json: they differ in executor: "ddsa" and "legacy"`},
		"other rule names": {with(1, `"rules":[{"rule":"J`, `"rules":[{"rule":"j`), "is in the place of rule"},
		"unknown part":     {with(1, `"summary":`, `"more":{},"summary":`), `"more" is unknown`},
		"out of order":     {[]string{good[0], strings.Join(lines, ""), good[2]}, "not in the order"},
		"no report":        {[]string{"{}", good[1]}, "1.json: this is no JSON report of analyze"},
		"no JSON":          {[]string{good[0], "a,b\n"}, "2.json: this is no JSON report of analyze"},
		"cut off":          {[]string{good[0], good[1][:len(good[1])/2], good[2]}, "2.json: the report is cut off"},
		"without its end":  {[]string{good[0], good[1], strings.TrimSuffix(good[2], "}\n")}, "3.json: the report is cut off"},
	} {
		if _, err := merged(test.reports...); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q in it", name, err, test.says)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add(`{"results":[`+"\n"+`{"path":"a.js","language":"JAVASCRIPT","outcome":"ok"}`+"\n"+
		`],"rules":[],"summary":{"part":"1/1","rules_sha256":"r"},"times":{"rules":[]}}`, `{"results":[]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, reports := range [][]string{{a}, {a, b}} {
			if got, err := merged(reports...); err == nil && !strings.HasPrefix(got, `{"results":[`) {
				t.Errorf("%q gave %q", reports, got)
			}
		}
	})
}
