package serve

import (
	"errors"
	"slices"
	"sync"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/flags"
	"github.com/ddsabench/ddsabench/shadow"
)

// shadows compare answers with what the other executor finds.
type shadows struct {
	comparers map[flags.Runtime]*shadow.Comparer // by the executor compared
	sampler   shadow.Sampler
	store     *shadow.Store

	end    chan struct{}
	logger sync.WaitGroup

	mu   sync.Mutex
	made map[flags.Runtime]executor.Executor // the latest, which may be closed
}

func newShadows(c *Config) *shadows {
	s := &shadows{
		comparers: map[flags.Runtime]*shadow.Comparer{}, store: shadow.NewStore(0, false),
		end: make(chan struct{}), made: map[flags.Runtime]executor.Executor{},
	}
	if c.NewShadow == nil {
		return s
	}
	for _, kind := range runtimes {
		s.comparers[kind] = shadow.New(shadow.Config{
			Store: s.store,
			NewExecutor: func() (executor.Executor, error) {
				ex, err := c.NewShadow(kind, c.Limits)
				s.mu.Lock()
				defer s.mu.Unlock()
				s.made[kind] = ex
				return ex, err
			},
		})
	}
	s.logger.Go(func() { logMismatches(c.Log, s.store, s.end) })
	return s
}

// offer hands an answer over where the decision says so. It never waits.
func (s *shadows) offer(j *job) {
	d := j.decision.Load()
	comparer := s.comparers[d.Value.Other()]
	if !d.Compared() || comparer == nil || !s.sampler.Pick(d.ShadowSample) {
		return
	}
	// That a pair did not fit says nothing of the executor.
	results := slices.DeleteFunc(slices.Clone(j.results), func(p executor.PairResult) bool { return errors.Is(p.Err, errLarge) })
	// The handler, which calls this, holds the program too.
	j.program.hold()
	comparer.Offer(shadow.Answer{
		Path: j.task.path, Language: j.task.language, Text: j.task.text, Results: results,
		NewParser: func() shadow.Parser {
			p, err := j.program.NewParser()
			if err != nil {
				panic(err) // the answer's parser came of the same queries
			}
			return p
		},
		Release: j.program.release,
	})
}

// resident is the memory of that executor's shadow process, in bytes.
func (s *shadows) resident(kind flags.Runtime) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return resident(s.made[kind])
}

func (s *shadows) close() (err error) {
	for _, kind := range runtimes {
		if e := s.comparers[kind].Close(); e != nil {
			err = e
		}
	}
	close(s.end)
	s.logger.Wait()
	return err
}
