package calibrate

import (
	"time"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// A Result is what a calibration found.
type Result struct {
	// Header is that of the first phase: machine, corpus, rules and settings.
	Header harness.Header `json:"header"`
	// Rounds is the number of rounds of one comparison.
	Rounds int           `json:"rounds"`
	Took   time.Duration `json:"took_ns"`
	// Noise is the standard deviation of the logarithm of a round's ratio, the
	// arm against itself: about its relative error.
	Noise float64 `json:"noise"`
	// Busy is the number of samples on a busy machine, of Samples.
	Busy    int `json:"busy_samples"`
	Samples int `json:"samples"`
	// Control is what all rounds together make of the arm against itself. If 1
	// is outside of its interval, something favours one of two equal arms.
	Control stats.Change `json:"control"`
	// False are the verdicts faster or slower on the arm against itself.
	False Tries `json:"false_verdicts"`
	Delay Delay `json:"delay"`
}

// Tries are comparisons made of one pool of rounds, and in how many of them
// something came up.
type Tries struct {
	// Pool is the number of rounds measured.
	Pool int `json:"pool_rounds"`
	// AsCame are the rounds in groups as they came: independent of each other,
	// so the bounds are those of the true rate on this machine at this time.
	AsCame stats.Rate `json:"as_came"`
	// Resampled are comparisons of rounds drawn from the pool. Their bounds
	// hold for this pool. Equal arms have their names dealt out anew, so that
	// this tries the method on the machine's noise; what favours one of the
	// arms shows in AsCame and Control only.
	Resampled stats.Rate `json:"resampled"`
}

// A Delay is the smallest known delay that is found.
type Delay struct {
	// Smallest is the delay per execution that is found with the chance Power,
	// Effect by what share it lengthens the time in executions.
	Smallest time.Duration `json:"smallest_ns"`
	Effect   float64       `json:"effect"`
	// Measured is a real delay that was added to each execution; 0 if there was
	// no time for one. Found is how often it was found, Change what all its
	// rounds make of it.
	Measured time.Duration `json:"measured_ns"`
	Found    Tries         `json:"found"`
	Change   stats.Change  `json:"change"`
	// Confirmed says whether Measured was found as often as Power demands, in a
	// pool of at least twice the rounds of one comparison.
	// Otherwise Smallest is an estimate that no real delay confirms.
	Confirmed bool `json:"confirmed"`
}
