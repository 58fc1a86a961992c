package calibrate

import (
	"testing"
	"time"
)

func TestPossible(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{
		-5: 1, 0: 1, 1: 1, 999: 999, 1000: 1000, 1001: 1010, 209318: 210000, 500140: 501000, 2 * time.Second: time.Second,
	} {
		if got := possible(d); got != want {
			t.Errorf("%d: %d, want %d", d, got, want)
		}
	}
}
