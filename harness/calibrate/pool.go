package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/ddsabench/ddsabench/harness"
	"github.com/ddsabench/ddsabench/harness/compare"
	"github.com/ddsabench/ddsabench/harness/stats"
)

// How many resampled comparisons give a rate, and how many guide a search.
const (
	tries       = 10000
	searchTries = 2000
)

// enough is how many times as many rounds as one comparison has confirm a delay.
// Resampled from fewer, comparisons tell little beyond these.
const enough = 2

// A pool is the complete rounds of two arms, with the main row's values. Its
// slices have equal lengths.
type pool struct {
	base, other []float64
	baseFirst   []bool
	round       []int
	// executions is how many each sample made.
	executions float64
	// size is the number of rounds of one comparison.
	size      int
	minEffect float64
	seed      uint64
}

// poolOf takes the counted rounds from a record of two arms.
func poolOf(r *harness.Record, size int) *pool {
	main := harness.Rows[slices.IndexFunc(harness.Rows, func(row harness.Row) bool { return row.Key == compare.MainKey })]
	p := &pool{size: size, minEffect: r.Header.MinEffect, seed: r.Header.Seed}
	bases := map[int]*harness.Sample{}
	for _, arm := range r.Header.Arms {
		for i := range r.Samples {
			s := &r.Samples[i]
			if s.Arm != arm || s.Warmup || s.Figures == nil {
				continue
			}
			if arm == r.Header.Arms[0] {
				bases[s.Round] = s
			} else if base := bases[s.Round]; base != nil {
				p.base, p.other = append(p.base, main.Value(base)), append(p.other, main.Value(s))
				p.baseFirst = append(p.baseFirst, base.Position < s.Position)
				p.round = append(p.round, s.Round-r.Header.Warmup)
				p.executions = float64(s.Figures.Executions)
			}
		}
	}
	return p
}

// judge is the verdict on the rounds with those indices. If deal is true the
// arms are equal, and their names are dealt out anew: in the first half of the
// rounds to the sample that came first, in the others to the second. Then each
// value of the second arm gets added seconds.
func (p *pool) judge(rounds []int, deal bool, added float64) stats.Verdict {
	base, other := make([]float64, len(rounds)), make([]float64, len(rounds))
	for i, round := range rounds {
		base[i], other[i] = p.base[round], p.other[round]
		if first := i < len(rounds)/2; deal && first != p.baseFirst[round] {
			base[i], other[i] = other[i], base[i]
		}
		other[i] += added
	}
	change, ok := stats.PairedChange(base, other)
	if !ok {
		return stats.Inconclusive
	}
	return change.Judge(change.P, p.minEffect)
}

// asCame judges each complete group of rounds, and counts verdicts.
func (p *pool) asCame(verdicts ...stats.Verdict) stats.Rate {
	count, of := 0, 0
	groups := map[int][]int{}
	for i, round := range p.round {
		groups[round/p.size] = append(groups[round/p.size], i)
	}
	for _, rounds := range groups {
		if len(rounds) < p.size {
			continue
		}
		of++
		if slices.Contains(verdicts, p.judge(rounds, false, 0)) {
			count++
		}
	}
	return stats.RateOf(count, of)
}

// resample judges n comparisons of rounds drawn from the pool, and counts
// verdicts; judge says what deal and added do. Where the arms' names are dealt
// out, that varies the comparisons, and no round is in one of them twice. Where
// not, rounds are drawn with replacement: otherwise comparisons that take most of
// the pool would vary too little, and the rate tend to 0 or 1. The draws are the same each
// time, so that results with more and less added differ by that only.
func (p *pool) resample(n int, deal bool, added float64, verdicts ...stats.Verdict) stats.Rate {
	rng := rand.New(rand.NewPCG(p.seed, 1))
	drawn := make([]int, p.size)
	all := make([]int, len(p.base))
	for i := range all {
		all[i] = i
	}
	count := 0
	for range n {
		for i := range p.size { // the first rounds of a random order
			if !deal {
				drawn[i] = rng.IntN(len(all))
				continue
			}
			j := i + rng.IntN(len(all)-i)
			all[i], all[j] = all[j], all[i]
			drawn[i] = all[i]
		}
		if slices.Contains(verdicts, p.judge(drawn, deal, added)) {
			count++
		}
	}
	return stats.RateOf(count, n)
}

// smallest returns how many seconds, from low up, must be added to the second
// arm's values so that More is found with that chance. Noise shrinks
// relative to a longer time, so the chance does not fall.
func (p *pool) smallest(deal bool, low, power float64) float64 {
	found := func(added float64) bool { return p.resample(searchTries, deal, added, stats.More).Share() >= power }
	step := stats.Describe(p.base).Median / 200
	high := low + step
	for !found(high) && step < math.MaxFloat64/4 {
		step *= 2
		low, high = high, high+step
	}
	for range 10 {
		if middle := (low + high) / 2; found(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// effect is the share of the base's time that seconds are.
func (p *pool) effect(seconds float64) float64 { return seconds / stats.Describe(p.base).Median }

// inAll is what a delay of each execution makes in a sample, in seconds.
func (p *pool) inAll(delay time.Duration) float64 { return delay.Seconds() * p.executions }

// perExecution spreads seconds over a sample's executions.
func (p *pool) perExecution(seconds float64) time.Duration {
	return time.Duration(seconds / p.executions * float64(time.Second))
}

// noise is the standard deviation of the logarithms of the rounds' ratios.
func (p *pool) noise() float64 {
	logs := make([]float64, len(p.base))
	for i := range logs {
		logs[i] = math.Log(p.other[i] / p.base[i])
	}
	return stat.StdDev(logs, nil)
}
