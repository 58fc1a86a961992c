package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrdersAreBalanced(t *testing.T) {
	for _, c := range []struct{ arms, rounds int }{{2, 10}, {2, 1}, {2, 7}, {3, 12}, {3, 7}, {4, 16}, {5, 11}} {
		all := orders(c.arms, c.rounds, rand.New(rand.NewPCG(1, 0)))
		if len(all) != c.rounds {
			t.Fatalf("%+v: %d rounds", c, len(all))
		}
		held := map[[2]int]int{} // arm and position
		kinds := map[string]int{}
		for _, order := range all {
			seen := map[int]bool{}
			for position, arm := range order {
				held[[2]int{arm, position}]++
				seen[arm] = true
			}
			if len(seen) != c.arms {
				t.Fatalf("%+v: round %v lacks an arm", c, order)
			}
			kinds[fmt.Sprint(order)]++
		}
		// An incomplete last set is off by one in each place at most.
		for key, n := range held {
			if low := c.rounds / c.arms; n < low || n > low+1 {
				t.Errorf("%+v: arm %d holds position %d in %d rounds", c, key[0], key[1], n)
			}
		}
		if whole := c.arms * (c.arms - 1); c.arms <= 3 && c.rounds%whole == 0 {
			for order, n := range kinds {
				if n != c.rounds/whole {
					t.Errorf("%+v: order %s is taken %d times", c, order, n)
				}
			}
		}
	}
}

// The same seed gives the same order, another seed another one.
func TestOrdersFollowTheSeed(t *testing.T) {
	of := func(seed uint64) [][]int { return orders(2, 20, rand.New(rand.NewPCG(seed, 0))) }
	if diff := cmp.Diff(of(5), of(5)); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(of(5), of(6)) {
		t.Error("seeds 5 and 6 give the same order")
	}
	fixed := true
	for _, order := range of(5) {
		fixed = fixed && order[0] == of(5)[0][0]
	}
	if fixed {
		t.Error("the same arm comes first in all rounds")
	}
}

// Each group is balanced by itself, the last as far as it goes.
func TestGroupsAreBalanced(t *testing.T) {
	all := grouped(2, 45, 10, rand.New(rand.NewPCG(1, 0)))
	if len(all) != 45 {
		t.Fatalf("%d rounds", len(all))
	}
	for group := 0; group < 40; group += 10 {
		first := 0
		for _, order := range all[group : group+10] {
			first += order[0]
		}
		if first != 5 {
			t.Errorf("rounds %d to %d: an arm comes first in %d of 10", group, group+9, first)
		}
	}
	if got, want := grouped(2, 20, 0, rand.New(rand.NewPCG(1, 0))), orders(2, 20, rand.New(rand.NewPCG(1, 0))); !cmp.Equal(got, want) {
		t.Error("without groups the order is another one")
	}
}
