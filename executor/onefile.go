package executor

import "context"

// ExecuteFile has a FileExecutor run rules over one file. The result's Err says
// why no rule ran on this file; the error is ExecuteFiles'.
func ExecuteFile(ctx context.Context, ex FileExecutor, file *File, rules []*Rule) (*FileResult, error) {
	task := &FileTask{file, &FileResult{Path: file.Path, Language: file.Language, Results: make([]PairResult, len(rules))}}
	for i, rule := range rules {
		task.Result.Results[i].Rule = rule
	}
	waiting := task
	next := func(bool) *FileTask {
		t := waiting
		waiting = nil
		return t
	}
	err := ex.ExecuteFiles(ctx, next, func(*FileTask) {})
	return task.Result, err
}
