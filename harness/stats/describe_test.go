package stats

import "testing"

func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want Description
	}{
		{nil, Description{}},
		{[]float64{3}, Description{1, 3, 3, 3, 3, 3}},
		{[]float64{2, 1}, Description{2, 1, 1.25, 1.5, 1.75, 2}},
		{[]float64{5, 1, 4, 2, 3}, Description{5, 1, 2, 3, 4, 5}},
	} {
		if got := Describe(c.x); got != c.want {
			t.Errorf("Describe(%v) = %+v, want %+v", c.x, got, c.want)
		}
	}
	if got := Describe([]float64{8, 10, 12}).Spread(); got != 0.2 {
		t.Errorf("spread of 8, 10, 12 is %v, want 0.2", got)
	}
	if got := Describe([]float64{0, 0, 3}).Spread(); got != 0 {
		t.Errorf("spread about 0 is %v, want 0", got)
	}
}
