package search

import (
	"math"
	"math/rand/v2"

	"selfplay/engine"
)

// Dirichlet noise on the priors of the root makes the search explore every move. See
// Silver et al., "Mastering chess and shogi by self-play", 2017.

// mixNoise replaces a fraction of some priors by Dirichlet noise. fraction and concentration
// are in thousandths. weights is scratch memory of the same length.
func mixNoise(priors []int32, weights []float64, fraction, concentration int, src *rand.PCG) {
	sum := 0.0
	for i := range weights {
		weights[i] = gamma(float64(concentration)/1000, src)
		sum += weights[i]
	}
	if sum == 0 {
		return // all draws underflowed
	}
	for i, prior := range priors {
		noise := int64(one * (weights[i] / sum))
		mixed := (int64(prior)*int64(1000-fraction) + noise*int64(fraction)) / 1000
		priors[i] = int32(max(mixed, 1))
	}
}

// gamma draws from the gamma distribution with a shape above 0 and scale 1. See
// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
func gamma(shape float64, src *rand.PCG) float64 {
	if shape < 1 {
		boost := exp(log(uniform(src)) / shape)
		return float64(gamma(shape+1, src) * boost)
	}
	d := shape - 1.0/3
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := normal(src)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		half := float64(float64(x*x) * 0.5)
		if log(uniform(src)) < half+float64(d*((1-v)+log(v))) {
			return float64(d * v)
		}
	}
}

// normal draws from the standard normal distribution by Marsaglia's polar method.
func normal(src *rand.PCG) float64 {
	for {
		x := float64(2*uniform(src)) - 1
		y := float64(2*uniform(src)) - 1
		square := float64(x*x) + float64(y*y)
		if square > 0 && square < 1 {
			return float64(x * math.Sqrt(-2*log(square)/square))
		}
	}
}

// uniform draws from the open interval (0, 1).
func uniform(src *rand.PCG) float64 {
	const bits = 52
	return (float64(src.Uint64()>>(64-bits)) + 0.5) / (1 << bits)
}

// Sampling of root moves, for players that do not always play the best move.

// PickByVisits draws a root move with probability proportional to
// visits^(1/temperature) and returns its index. temperature is in thousandths and above
// 0. A move without visits is never drawn; without any visits the result is 0.
func PickByVisits(moves []RootMove, temperature int, src *rand.PCG) int {
	most := uint32(1)
	for i := range moves {
		most = max(most, moves[i].Visits)
	}
	return pick(moves, src, func(m *RootMove) uint32 {
		if m.Visits == 0 {
			return 0
		}
		x := log(float64(m.Visits)/float64(most)) * 1000
		return uint32(one * exp(x/float64(temperature)))
	})
}

// PickByScore draws one of the exact root moves by a softmax of score/temperature and
// returns its index. temperature is in centi-units and above 0. moves[0] has the best
// score.
func PickByScore(moves []RootMove, temperature int, src *rand.PCG) int {
	return pick(moves, src, func(m *RootMove) uint32 {
		if !m.Exact {
			return 0
		}
		return softmaxWeight(moves[0].Score-m.Score, temperature)
	})
}

// policyTemperature turns scores into policies, in centi-units. In all three games, the softmax
// of the scores of 500 nodes then predicts the best move of 5,000 nodes best, in log loss.
const policyTemperature = 20

// Weight returns the policy weight of a move whose score is gap centi-units below the
// best score: 65535 e^(-gap/20), at least 1.
func Weight(gap int) uint16 { return uint16(min(softmaxWeight(gap, policyTemperature), one-1)) }

// pick draws an index by weight; 0 if all weights are 0.
func pick(moves []RootMove, src *rand.PCG, weight func(*RootMove) uint32) int {
	sum := uint32(0)
	for i := range moves {
		sum += weight(&moves[i])
	}
	if sum == 0 {
		return 0
	}
	r := engine.Below(src, sum)
	for i := range moves {
		w := weight(&moves[i])
		if r < w {
			return i
		}
		r -= w
	}
	panic("search: drawn number exceeds the sum of weights")
}
