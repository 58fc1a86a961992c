package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// Many parsers share a set; one of them always falls back, so that the rules'
// own queries are compiled meanwhile.
func TestParsersShareASet(t *testing.T) {
	rules := jsRules(typical...)
	set := compile(t, rules...)
	var wait sync.WaitGroup
	want := make([]string, 5)
	first := newParser(t, set, DefaultOptions())
	for n := range want {
		file := parse(t, first, executor.JavaScript, sample(n))
		for _, r := range rules {
			want[n] += fmt.Sprint(dump(t, file, r))
		}
	}
	for worker := range 4 {
		wait.Go(func() {
			o := DefaultOptions()
			o.Separate = worker%2 == 1
			p := set.NewParser(o)
			defer p.Close()
			for n := range want {
				file, err := p.Parse("x", executor.JavaScript, sample(n))
				if err != nil {
					t.Error(err)
					return
				}
				got := ""
				for _, r := range rules {
					got += fmt.Sprint(dump(t, file, r))
				}
				if got != want[n] {
					t.Errorf("worker %d differs on file %d", worker, n)
				}
			}
		})
	}
	wait.Wait()
}

func TestClose(t *testing.T) {
	rules := jsRules("(identifier) @x")
	set, err := Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	p := set.NewParser(DefaultOptions())
	file := parse(t, p, executor.JavaScript, "a")
	if err := set.Close(); err == nil {
		t.Error("a set with an open parser was closed")
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := file.Tree.Matches(rules[0], 0); err == nil {
		t.Error("a closed parser's tree has matches")
	}
	if _, err := p.Parse("x", executor.JavaScript, "a"); err == nil {
		t.Error("a closed parser parses")
	}
	for range 2 {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a closed set gives a parser")
		}
	}()
	set.NewParser(DefaultOptions())
}

func TestFewAllocations(t *testing.T) {
	// Without regular expressions, which allocate under the race detector.
	queries := slices.DeleteFunc(slices.Clone(typical), func(q string) bool {
		return strings.Contains(q, "match?")
	})
	rules := jsRules(queries...)
	p := newParser(t, compile(t, rules...), patient())
	text := sample(100)
	file := parse(t, p, executor.JavaScript, text)
	parsing := testing.AllocsPerRun(10, func() { file = parse(t, p, executor.JavaScript, text) })
	asking := testing.AllocsPerRun(10, func() {
		for _, r := range rules {
			if _, err := file.Tree.Matches(r, 0); err != nil {
				t.Error(err)
			}
		}
	})
	if parsing > 3 || asking > 0 {
		t.Errorf("%v allocations a file, %v to ask for its matches", parsing, asking)
	}
}

func BenchmarkFile(b *testing.B) {
	rules := jsRules(typical...)
	p := newParser(b, compile(b, rules...), DefaultOptions())
	for _, n := range []int{10, 100, 1000} {
		text := sample(n)
		b.Run(fmt.Sprintf("%dkB", len(text)/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var cost Cost
			for b.Loop() {
				parse(b, p, executor.JavaScript, text)
				cost.Parse += p.Cost().Parse
				cost.Pass += p.Cost().Pass
			}
			b.ReportMetric(float64(cost.Parse.Nanoseconds())/float64(b.N), "parse-ns/op")
			b.ReportMetric(float64(cost.Pass.Nanoseconds())/float64(b.N), "match-ns/op")
		})
	}
}

func BenchmarkMatches(b *testing.B) {
	rules := jsRules(typical...)
	p := newParser(b, compile(b, rules...), DefaultOptions())
	file := parse(b, p, executor.JavaScript, sample(100))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := file.Tree.Matches(rules[i%len(rules)], 0); err != nil {
			b.Fatal(err)
		}
	}
}
