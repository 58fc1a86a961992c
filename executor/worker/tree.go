//go:build linux

package worker

import (
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A tree tells when the matches are there, so that what follows is V8.
type tree struct {
	executor.Tree
	page     *page
	clock    clock
	position place
}

// Matches implements executor.Tree.
func (t *tree) Matches(rule *executor.Rule, left time.Duration) (executor.Matches, error) {
	m, err := t.Tree.Matches(rule, left)
	if err == nil && m.Count > 0 {
		t.page.at.Store(uint64(t.position)) // the time since matching began counts
		t.page.executions.Add(1)            // until what was really counted is published
	}
	return m, err
}
