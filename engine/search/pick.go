package search

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Picks are how players that do not always play the best line choose one. They
// return its place among the lines.

// PickByVisits draws a line with a chance that is its visits to the power of
// 1/temperature, which is in thousandths and above 0. Lines without visits are never
// picked.
func PickByVisits(lines []RootMove, temperature int, src *rand.PCG) int {
	most := uint32(1)
	for i := range lines {
		most = max(most, lines[i].Visits)
	}
	return pick(lines, src, func(l *RootMove) uint32 {
		if l.Visits == 0 {
			return 0
		}
		x := log(float64(l.Visits)/float64(most)) * 1000
		return uint32(one * exp(x/float64(temperature)))
	})
}

// PickByScore draws among the exact lines with a chance that falls by a factor of e
// for every temperature, in centi-units, that a line is behind the best.
func PickByScore(lines []RootMove, temperature int, src *rand.PCG) int {
	return pick(lines, src, func(l *RootMove) uint32 {
		if !l.Exact {
			return 0
		}
		return fade(lines[0].Score-l.Score, temperature)
	})
}

// Weight returns what a line weighs in a policy that is so many centi-units behind
// the best line: 65535 for that, less by a factor of e for every 100.
func Weight(behind int) uint16 { return uint16(min(fade(behind, 100), one-1)) }

// fade returns e^(-behind/scale) in 65536ths, at least one of them.
func fade(behind, scale int) uint32 {
	return decay[min(behind*perDecay/scale, len(decay)-1)]
}

// pick draws a line by weight; the first if all weigh nothing.
func pick(lines []RootMove, src *rand.PCG, weigh func(*RootMove) uint32) int {
	sum := uint32(0)
	for i := range lines {
		sum += weigh(&lines[i])
	}
	if sum == 0 {
		return 0
	}
	r := engine.Below(src, sum)
	for i := range lines {
		w := weigh(&lines[i])
		if r < w {
			return i
		}
		r -= w
	}
	panic("search: a pick beyond the weights")
}
