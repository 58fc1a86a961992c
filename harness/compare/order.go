package compare

import "math/rand/v2"

// orders returns the order of the arms in each of rounds rounds. Each position
// is held by each arm equally often, as far as rounds permits, and with two or
// three arms each order is as frequent as any other; which order comes when is
// random. A fixed order would turn whatever drifts in the machine into a
// difference between the arms.
func orders(arms, rounds int, rng *rand.Rand) [][]int {
	all := make([][]int, 0, rounds+2*arms)
	for len(all) < rounds {
		base := rng.Perm(arms)
		all = append(all, rotations(base)...)
		// With the mirror image each arm follows each other equally often.
		if arms > 2 {
			mirror := make([]int, arms)
			for i, arm := range base {
				mirror[arms-1-i] = arm
			}
			all = append(all, rotations(mirror)...)
		}
	}
	all = all[:rounds]
	rng.Shuffle(rounds, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// grouped is orders with each group of so many rounds balanced by itself; 0
// makes one group of all.
func grouped(arms, rounds, group int, rng *rand.Rand) [][]int {
	if group == 0 {
		return orders(arms, rounds, rng)
	}
	var all [][]int
	for left := rounds; left > 0; left -= group {
		all = append(all, orders(arms, min(group, left), rng)...)
	}
	return all
}

// inTurn is the order of the counted pass, in which it does not matter.
func inTurn(arms int) []int {
	order := make([]int, arms)
	for i := range order {
		order[i] = i
	}
	return order
}

// rotations returns base begun at each of its places.
func rotations(base []int) [][]int {
	var all [][]int
	for i := range base {
		all = append(all, append(append([]int{}, base[i:]...), base[:i]...))
	}
	return all
}
