package main

import (
	"slices"
	"testing"
)

func TestParseCores(t *testing.T) {
	for text, want := range map[string][]int{
		"0":          {0},
		"3,1":        {1, 3},
		"0-2":        {0, 1, 2},
		" 0, 2-3,3 ": {0, 2, 3},
		"1023":       {1023},
	} {
		if got, err := parseCores(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ",", "1,", "-1", "1-", "2-1", "1024", "0-99999999", "a", "0x1", "1.5", "٣"} {
		if got, err := parseCores(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
