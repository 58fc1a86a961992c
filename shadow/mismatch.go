package shadow

import (
	"time"

	"github.com/ddsabench/ddsabench/executor"
)

// A Kind is how two results of one pair differ.
type Kind uint8

// The kinds.
const (
	Violations Kind = iota // both ended well and found different things
	Outcome                // they ended in different ways, neither by timeout
	Timeout                // one ran out of time: a slow moment, or a slow executor
	Failed                 // the shadow could not run: no parse, no executor, no watchdog, a panic

	KindCount = iota
)

var kindNames = [KindCount]string{"violations", "outcome", "timeout", "failed"}

// String is the kind in one word.
func (k Kind) String() string { return kindNames[k] }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Mismatch is a pair that did not come out the same. Unless the store keeps
// texts, it holds no text of the file, nor any that a rule made of it.
type Mismatch struct {
	Time     time.Time         `json:"time"`
	Kind     Kind              `json:"kind"`
	Path     string            `json:"path"`
	Language executor.Language `json:"language"`
	// Rule is empty where the shadow failed on the whole file.
	Rule string `json:"rule,omitempty"`
	// Executor is the shadow's executor, "legacy" or "ddsa"; empty if it
	// failed.
	Executor string `json:"executor,omitempty"`
	// Answered and Shadow are how the two sides ended.
	Answered Side `json:"answered"`
	Shadow   Side `json:"shadow"`
	// Difference says where they part, in words.
	Difference string `json:"difference"`
	// Text is the file's text, if the store keeps texts.
	Text string `json:"text,omitempty"`
}

// A Side is one of the two results.
type Side struct {
	// Outcome is an executor.Outcome in words; empty if the shadow failed.
	Outcome    string `json:"outcome,omitempty"`
	Violations int    `json:"violations"`
	// Detail is the error, or the violations as JSON, if the store keeps texts.
	Detail string `json:"detail,omitempty"`
}
