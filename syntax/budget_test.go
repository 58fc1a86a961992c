package syntax

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// broad is the query that can take the shared pass from 0.5 ms to seconds.
const broad = `(program (_) @a (_) @b (_) @c)`

func TestBroadQueryHarmsOnlyItself(t *testing.T) {
	rules := jsRules(append([]string{broad}, typical...)...)
	with := newParser(t, compile(t, rules...), DefaultOptions())
	without := newParser(t, compile(t, rules[1:]...), patient())
	text := sample(400)
	sameSeparately(t, without, with, rules[1:], "broad", executor.JavaScript, text)
	if without.Cost().Fallback || !with.Cost().Fallback {
		t.Errorf("fallback without the broad query: %v, with it: %v", without.Cost().Fallback, with.Cost().Fallback)
	}
	file := parse(t, with, executor.JavaScript, text)
	start := time.Now()
	m, err := file.Tree.Matches(rules[0], 50*time.Millisecond)
	if !errors.Is(err, executor.ErrTimeout) && !errors.Is(err, ErrTooManyMatches) {
		t.Errorf("the broad query: %d matches, %v", m.Count, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	// The rules after it are as they were.
	for _, r := range rules[1:] {
		if len(dump(t, file, r)) == 0 {
			t.Errorf("%s matches nothing any more", r.Query)
		}
	}
}

// A walk that finds nothing is stopped as well.
func TestBudgetStopsAWalkWithoutMatches(t *testing.T) {
	rules := jsRules(`(class_declaration) @x`)
	set := compile(t, rules...)
	o := DefaultOptions()
	o.PassBudget, o.PassBudgetPerKB = time.Nanosecond, 0
	p := newParser(t, set, o)
	text := strings.Repeat("f(1);\n", 20_000)
	file := parse(t, p, executor.JavaScript, text)
	if !p.Cost().Fallback {
		t.Error("the pass went on past its budget")
	}
	if _, err := file.Tree.Matches(rules[0], time.Nanosecond); !errors.Is(err, executor.ErrTimeout) {
		t.Errorf("the rule's own query says %v", err)
	}
	if _, err := file.Tree.Matches(rules[0], -1); !errors.Is(err, executor.ErrTimeout) {
		t.Errorf("with no time left: %v", err)
	}
	start := time.Now()
	whole, err := file.Tree.Matches(rules[0], 0)
	if err != nil || whole.Count != 0 || whole.Took <= 0 || whole.Took > time.Since(start) {
		t.Errorf("without a limit: %d matches in %v, %v", whole.Count, whole.Took, err)
	}
	start = time.Now()
	if _, err := file.Tree.Matches(rules[0], whole.Took/8); !errors.Is(err, executor.ErrTimeout) {
		t.Errorf("an eighth of the time was enough: %v", err)
	}
	if took := time.Since(start); took > whole.Took/2+time.Second {
		t.Errorf("it was stopped after %v of %v", took, whole.Took)
	}
}

// A slow predicate is stopped too, and gives the budget back to the others.
func TestBudgetStopsPredicates(t *testing.T) {
	rules := jsRules(`((program) @p (#match? @p "(x+x+)+y(x?){50}$"))`, `((program (_) @x) @p (#not-match? @p "(x+x+)+y(x?){50}$"))`, "(number) @n")
	p := newParser(t, compile(t, rules...), DefaultOptions())
	file := parse(t, p, executor.JavaScript, strings.Repeat("xxxx;", 10_000)+"1")
	if !p.Cost().Fallback {
		t.Error("the pass went on past its budget")
	}
	if _, err := file.Tree.Matches(rules[1], 20*time.Millisecond); !errors.Is(err, executor.ErrTimeout) {
		t.Error(err)
	}
	diff(t, []match{{"n 1:50001-1:50002 1"}}, dump(t, file, rules[2]))
}

// Many matches in progress at once are an error, never a silent loss.
func TestTooManyInProgress(t *testing.T) {
	rules := jsRules(`(binary_expression left: (_) @l right: (number) @r)`, `(number) @n`)
	p := newParser(t, compile(t, rules...), patient())
	for _, n := range []int{matchLimit / 2, matchLimit * 2} {
		file := parse(t, p, executor.JavaScript, "0"+strings.Repeat("+1", n))
		m, err := file.Tree.Matches(rules[0], time.Minute)
		if n < matchLimit {
			if err != nil || m.Count != n || p.Cost().Fallback {
				t.Errorf("%d in progress: %d matches, fallback %v, %v", n, m.Count, p.Cost().Fallback, err)
			}
		} else if !errors.Is(err, ErrTooManyMatches) || !p.Cost().Fallback {
			t.Errorf("%d in progress: %d matches, fallback %v, %v", n, m.Count, p.Cost().Fallback, err)
		}
		if got := len(dump(t, file, rules[1])); got != n+1 {
			t.Errorf("the other rule has %d matches, want %d", got, n+1)
		}
	}
}

// Trees too deep for tree-sitter's queries, which would abort.
func TestTooDeep(t *testing.T) {
	rules := jsRules("(number) @n", "(_ (_) @a (_ (_) @b))")
	p := newParser(t, compile(t, rules...), patient())
	for _, c := range []struct {
		text string
		deep bool
	}{
		{strings.Repeat("[", 50_000) + "1" + strings.Repeat("]", 50_000), false},
		{strings.Repeat("[", 70_000) + "1" + strings.Repeat("]", 70_000), true},
		{strings.Repeat("!", 70_000) + "1", true},
		{strings.Repeat("a+", 70_000) + "1", true},
	} {
		file, err := p.Parse("deep.js", executor.JavaScript, c.text)
		if errors.Is(err, ErrTooDeep) != c.deep || (err != nil) != c.deep {
			t.Fatalf("%.5q: %v", c.text, err)
		}
		if err == nil && len(dump(t, file, rules[0])) != 1 {
			t.Errorf("%.5q: the number was not found", c.text)
		}
	}
	if len(dump(t, parse(t, p, executor.JavaScript, "1"), rules[0])) != 1 {
		t.Error("the parser is of no use after a tree too deep")
	}
}

func TestParseTimeout(t *testing.T) {
	rules := jsRules("(identifier) @x")
	o := DefaultOptions()
	o.ParseTimeout = time.Microsecond
	p := newParser(t, compile(t, rules...), o)
	_, err := p.Parse("slow.js", executor.JavaScript, sample(2000))
	var timeout *ParseTimeout
	if !errors.Is(err, ErrParseTimeout) || !errors.As(err, &timeout) || timeout.Path != "slow.js" || timeout.Limit != o.ParseTimeout {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, executor.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		t.Error("a parse timeout passes for a rule's")
	}
	p.options.ParseTimeout = 0
	diff(t, []match{{"x 1:1-1:2 a"}}, dump(t, parse(t, p, executor.JavaScript, "a"), rules[0]))
}
