package compare

import (
	"errors"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// What can have come of a comparison that did not end well.
var (
	// ErrFindingsDiffer voids the comparison: the arms did not do the same.
	ErrFindingsDiffer = errors.New("findings differ")
	// ErrInterrupted is a comparison that its user ended.
	ErrInterrupted = errors.New("interrupted")
	// ErrIncomplete is a comparison that ended early for another reason, or an
	// arm without any figures.
	ErrIncomplete = errors.New("comparison is not complete")
)

// A Summary is what a record says. It is data only; its JSON form is a report.
type Summary struct {
	Header harness.Header `json:"header"`
	// Older is the header of the record that Diff took the old samples from.
	Older *harness.Header `json:"older,omitempty"`
	// Blocks is the number of counted rounds in which all arms have figures.
	Blocks int `json:"blocks"`
	// Unpaired arms were not measured side by side in rounds. Blocks is the
	// number of the smaller one's samples then.
	Unpaired    bool `json:"unpaired,omitempty"`
	Interrupted bool `json:"interrupted"`
	// Stopped says why the comparison ended before its last round, if it did.
	Stopped string `json:"stopped,omitempty"`
	// Findings is the digest on which all samples agree.
	Findings string    `json:"findings_sha256,omitempty"`
	Mismatch *Mismatch `json:"mismatch,omitempty"`
	Voids    []Void    `json:"voids,omitempty"`
	// Orders has the order effect of each arm but the baseline, where one can
	// be told.
	Orders []OrderEffect `json:"order_effects,omitempty"`
	// Busy is the number of counted samples during which the machine was busy
	// with other work.
	Busy int   `json:"busy_samples"`
	Rows []Row `json:"rows"`
	// Counted is the counted pass, in the order of the arms; empty if there was
	// none.
	Counted []Counted `json:"counted,omitempty"`
	// Notes are doubts about the figures, each a sentence or two.
	Notes []string `json:"notes,omitempty"`
}

// A Row is one figure of all arms.
type Row struct {
	Key  string       `json:"key"`
	Name string       `json:"name"`
	Unit harness.Unit `json:"unit"`
	Role Role         `json:"role"`
	// Cells has one cell for each arm, the baseline first.
	Cells []Cell `json:"cells"`
}

// A Cell is one figure of one arm over its counted samples.
type Cell struct {
	Arm string `json:"arm"`
	stats.Description
	// Change is the change from the baseline over complete blocks; nil for the
	// baseline itself, and where there is no ratio. It is estimated from the
	// blocks' ratios and need not be the ratio of the medians.
	Change *stats.Change `json:"change,omitempty"`
	// PAdjusted is the change's P, corrected for the number of rows except in
	// the main one; the verdict rests on it. 0 and empty where there is none.
	PAdjusted float64 `json:"p_adjusted,omitempty"`
	Verdict   Verdict `json:"verdict,omitempty"`
	// Notes are the numbers, from 1, of those of Summary.Notes that are about
	// this cell.
	Notes []int `json:"notes,omitempty"`
}

// A Counted is an arm in the counted pass.
type Counted struct {
	Arm        string `json:"arm"`
	Executions uint64 `json:"executions"`
	// Counted is nil if Void says why there are no figures. Empty is the same of
	// a child without files, nil if that failed.
	Counted *harness.Counted `json:"counted,omitempty"`
	Empty   *harness.Counted `json:"counted_empty,omitempty"`
	Void    *harness.Void    `json:"void,omitempty"`
}

// A Void is a sample of the rounds without figures, and why.
type Void struct {
	Round  int           `json:"round"`
	Arm    string        `json:"arm"`
	Warmup bool          `json:"warmup"`
	Void   *harness.Void `json:"void"`
}

// A Kind is how findings differ.
type Kind string

// The kinds of mismatch.
const (
	// FindingsDiffer: rules found different things.
	FindingsDiffer Kind = "findings"
	// TimeoutsDiffer: as far as is known, only which pairs timed out.
	TimeoutsDiffer Kind = "timeouts"
)

// A Mismatch is a disagreement of two samples about the findings.
type Mismatch struct {
	Kind Kind      `json:"kind"`
	A    Testimony `json:"a"`
	B    Testimony `json:"b"`
	// Differences are the first pairs that differed when both arms ran again.
	Differences []harness.Difference `json:"differences,omitempty"`
}

// A Testimony is one sample's word in a mismatch.
type Testimony struct {
	Arm      string `json:"arm"`
	Round    int    `json:"round"`
	Findings string `json:"findings_sha256"`
	Timeouts uint64 `json:"timeouts"`
}

// Err says how the comparison ended: nil, or one of this package's errors, the
// gravest first.
func (s *Summary) Err() error {
	switch {
	case s.Mismatch != nil:
		return ErrFindingsDiffer
	case s.Interrupted:
		return ErrInterrupted
	case s.Stopped != "" || s.Blocks == 0:
		return ErrIncomplete
	}
	return nil
}
