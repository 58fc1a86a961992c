package serve

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/syntax"
)

// A Program is the rules of a request, compiled. Requests with the same rules in
// the same order share one, and so do their executors' scripts: executors know
// rules by their pointers. Whoever gets one holds it until it releases it.
type Program struct {
	Rules []*executor.Rule

	cache   *programs
	key     programKey
	cost    int
	holders int           // guarded by cache.mu
	place   *list.Element // nil: no longer in the cache
	compile sync.Once
	queries *syntax.Set
	err     error
}

// NewParser returns a parser that knows the rules' queries, or what is wrong
// with those. The caller holds the program until it has closed the parser.
// Workers and the shadow call it at the same time.
func (p *Program) NewParser() (*syntax.Parser, error) {
	if err := p.compiled(); err != nil {
		return nil, err
	}
	return p.queries.NewParser(syntax.DefaultOptions()), nil
}

// compiled compiles the queries the first time, and says what is wrong with
// them.
func (p *Program) compiled() error {
	p.compile.Do(func() { p.queries, p.err = syntax.Compile(p.Rules) })
	return p.err
}

type programKey [sha256.Size]byte

// key is the digest of all that the rules are, so that a rule whose code
// changed under the same name is another one. Each text is preceded by its
// length: no two lists of rules read the same.
func key(rules []*executor.Rule) programKey {
	h := sha256.New()
	for _, r := range rules {
		for _, text := range []string{r.Name, string(r.Language), string(r.Severity), r.Category, r.Query, r.Code} {
			var size [8]byte
			binary.BigEndian.PutUint64(size[:], uint64(len(text)))
			h.Write(size[:])
			h.Write([]byte(text))
		}
	}
	return programKey(h.Sum(nil))
}

// programs are the programs kept between requests: the latest used ones, up to
// a cost, of which those that are held and no longer kept take their part.
type programs struct {
	most int

	mu     sync.Mutex
	byKey  map[programKey]*Program
	recent list.List // of *Program, the latest used first
	cost   int       // of all that are not free
	hits   uint64
	misses uint64
}

func newPrograms(most int) *programs {
	return &programs{most: most, byKey: map[programKey]*Program{}}
}

// get returns the program for rules, which it keeps if it has none yet.
func (c *programs) get(rules []*executor.Rule) *Program {
	k := key(rules)
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.byKey[k]
	if p != nil {
		c.hits++
		c.recent.MoveToFront(p.place)
	} else {
		c.misses++
		p = &Program{Rules: rules, cache: c, key: k, cost: cost(rules)}
		c.byKey[k] = p
		p.place = c.recent.PushFront(p)
		c.cost += p.cost
	}
	p.holders++
	for c.cost > c.most && c.recent.Len() > 1 {
		c.drop(c.recent.Back().Value.(*Program))
	}
	return p
}

// hold adds a holder to a program that the caller holds.
func (p *Program) hold() {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	p.holders++
}

// release ends one holder's use.
func (p *Program) release() {
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	p.holders--
	p.free()
}

// drop takes a program out of the cache. Those who hold it go on with it.
func (c *programs) drop(p *Program) {
	delete(c.byKey, p.key)
	c.recent.Remove(p.place)
	p.place = nil
	p.free()
}

// free frees the queries when nobody can use them any more: once, because
// nobody gets or holds the program afterwards.
func (p *Program) free() {
	if p.place != nil || p.holders > 0 {
		return
	}
	p.cache.cost -= p.cost
	if p.queries != nil {
		_ = p.queries.Close() // fails only while a parser is open, and none is
	}
}

// close drops all programs.
func (c *programs) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.recent.Len() > 0 {
		c.drop(c.recent.Back().Value.(*Program))
	}
}

// cost is about what rules take when they are compiled, in bytes: queries
// become automata that are many times their text.
func cost(rules []*executor.Rule) int {
	n := 0
	for _, r := range rules {
		n += 1000 + len(r.Code) + 50*len(r.Query)
	}
	return n
}

func (c *programs) counts() (hits, misses uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses
}
