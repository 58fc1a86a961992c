package measure

import "github.com/ddsabench/ddsabench/harness"

// The parent writes a JobSpec as one JSON value to the child's standard input
// and keeps it open: its end tells the child that the parent is gone. The
// child writes messages as JSON lines to file descriptor resultFD: ready,
// progress and findings, then a result or an error, then it exits.
const resultFD = 3

// maxMessage bounds one message, in bytes.
const maxMessage = 16 << 20

// A message has exactly one field.
type message struct {
	Ready    *struct{}        `json:"ready,omitempty"`
	Progress *progress        `json:"progress,omitempty"`
	Finding  *finding         `json:"finding,omitempty"`
	Result   *harness.Figures `json:"result,omitempty"`
	Error    string           `json:"error,omitempty"`
}

type progress struct {
	Done  int `json:"done"`
	Files int `json:"files"`
}

type finding struct {
	Pair    harness.Pair    `json:"pair"`
	Finding harness.Finding `json:"finding"`
}
