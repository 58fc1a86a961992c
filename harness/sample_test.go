package harness_test

import (
	"testing"

	"github.com/ddsabench/ddsabench/harness"
)

// What is less than before is 0, not a count from the other end.
func TestUsageSub(t *testing.T) {
	got := harness.Usage{User: 5, System: 1, MinorFaults: 7, Voluntary: 2}.Sub(harness.Usage{User: 2, System: 3, MinorFaults: 3, MajorFaults: 1, Voluntary: 9})
	if want := (harness.Usage{User: 3, MinorFaults: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
