//go:build linux

package worker

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/executor/executortest"
)

// What every executor must hold, in a worker process. Files are sent with their
// matches in the text.
func TestSuite(t *testing.T) {
	// Not here: what needs the tree in this process, what has more matches than
	// are wise to send as JSON, and threads, of which the worker has its own.
	without := []string{"tree fails", "many nodes", "many rules", "any order", "threads"}
	for name, without := range map[string][]string{
		"ddsa": without,
		// What starts many processes, or takes long, is the same with either.
		"legacy": append(without, "memory", "cancelled", "closed", "limits"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			executortest.Run(t, func(limits executor.Limits) (executor.Executor, error) {
				e, err := New(patient(name, limits))
				if err != nil {
					return nil, err
				}
				return sender{e}, nil
			}, without...)
		})
	}
}

type sender struct{ *Executor }

func (s sender) Execute(ctx context.Context, rule *executor.Rule, file *executor.File) (executor.Result, error) {
	found := file.Tree.(*executortest.Tree).Found
	text, err := json.Marshal(prepared{file.Text, file.ASCII, found.Count, found.Names, found.Nodes, found.Words})
	if err != nil {
		return executor.Result{}, err
	}
	sent := &executor.File{ID: file.ID, Path: file.Path, Language: file.Language, Text: string(text)}
	return s.Executor.Execute(ctx, rule, sent)
}
