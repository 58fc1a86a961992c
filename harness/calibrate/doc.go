// Package calibrate measures the instrument itself, on the machine at hand: how
// often a comparison calls two equal arms different, and how small a known
// difference it finds.
//
// Hundreds of whole comparisons would take a day. So Run measures rounds for as
// long as the budget lasts, an arm against itself and then against itself with a
// known delay, and judges comparisons made of these rounds: each group of rounds
// as they came, which are few and independent, and many more resampled ones,
// whose rounds are drawn from all of them. Resampling is fair because a round is
// the unit that a comparison shuffles and pairs: what the machine did between
// rounds does not enter a ratio. What it cannot tell is how another day's noise
// would differ.
package calibrate
