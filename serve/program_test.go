package serve

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
)

// A rule whose code, query or severity changed under the same name is never
// served stale, also with requests of both kinds at once.
func TestNeverStale(t *testing.T) {
	c := testConfig(t, "50%")
	c.Workers = 3
	_, url := start(t, c)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for n := range 20 {
				want := fmt.Sprint("version ", (i+n)%3)
				status, _, body := post(t, url, testRequest(t, "1", says(want)), keyHeader, fmt.Sprint(n))
				if got := messages(t, status, body); !slices.Equal(got, []string{want}) {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
	wait.Wait()
}

func rule(name, code string) *executor.Rule {
	return &executor.Rule{Name: name, Language: executor.JavaScript, Query: "(program) @p", Code: code}
}

// The key tells all lists of rules apart, also those whose texts run together
// in the same way.
func TestProgramKey(t *testing.T) {
	seen := map[programKey]int{}
	lists := [][]*executor.Rule{
		nil,
		{rule("a", "b")},
		{rule("ab", "")},
		{rule("a", "b"), rule("c", "d")},
		{rule("c", "d"), rule("a", "b")},
		{{Name: "a", Language: executor.TypeScript, Query: "(program) @p", Code: "b"}},
		{{Name: "a", Language: executor.JavaScript, Query: "(program) @p", Code: "b", Category: "SECURITY"}},
		{{Name: "a", Language: executor.JavaScript, Query: "(program) @p", Code: "b", Severity: "ERROR"}},
		{{Name: "a", Language: executor.JavaScript, Query: "(program) @q", Code: "b"}},
	}
	for i, list := range lists {
		if j, twice := seen[key(list)]; twice {
			t.Errorf("lists %d and %d have one key", i, j)
		}
		seen[key(list)] = i
	}
	if key(lists[3]) != key([]*executor.Rule{rule("a", "b"), rule("c", "d")}) {
		t.Error("equal lists have two keys")
	}
}

// What is kept is bounded; a program that was dropped lives as long as it is
// held, and no longer.
func TestProgramsAreBounded(t *testing.T) {
	one := cost([]*executor.Rule{rule("a", "")})
	c := newPrograms(3 * one)
	held := c.get([]*executor.Rule{rule("held", "")})
	first, err := held.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		p := c.get([]*executor.Rule{rule(fmt.Sprint(i), "")})
		parser, err := p.NewParser()
		if err != nil {
			t.Fatal(err)
		}
		parser.Close()
		p.release()
	}
	// The one that is held takes its part.
	if len(c.byKey) > 2 || c.cost != one*(len(c.byKey)+1) || c.recent.Len() != len(c.byKey) {
		t.Errorf("%d programs of cost %d", len(c.byKey), c.cost)
	}
	if again := c.get([]*executor.Rule{rule("held", "")}); again == held {
		t.Error("was kept")
	} else {
		again.release()
	}
	second, err := held.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	second.Close()
	before := c.cost
	held.release()
	if c.cost != before-one {
		t.Errorf("%d after %d: a program that is freed takes nothing", c.cost, before)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the queries are still there")
			}
		}()
		_, _ = held.NewParser() // panics on a closed set
	}()
	latest := c.get([]*executor.Rule{rule("9", "")})
	latest.release()
	if hits, misses := c.counts(); hits != 1 || misses != 12 {
		t.Errorf("%d hits, %d misses", hits, misses)
	}
	c.close()
	if c.cost != 0 || len(c.byKey) != 0 {
		t.Errorf("after close: %d", c.cost)
	}
}
