package search

import (
	"sort"

	"selfplay/engine"
)

// Values of a tree are what one side may expect: 1 a win, 0 a draw, -1 a loss, in
// 65536ths. A static score becomes a value by the logistic curve, 2/(1+e^-x) - 1
// where x is the score over a scale. The curve is a table of integers.

const (
	one      = 1 << 16
	perScale = 256 // entries of the curve from one scale to the next
)

// logistic holds the values of scores from 0 to 16 scales, all below one.
var logistic = func() (t [16 * perScale]uint16) {
	for i := range t {
		e := exp(-float64(i) / perScale)
		t[i] = uint16(one * ((1 - e) / (1 + e)))
	}
	return t
}()

// valueOf returns the value of a static score.
func valueOf(score, scale int) int {
	if score < 0 {
		return -valueOf(-score, scale)
	}
	return int(logistic[min(score*perScale/scale, len(logistic)-1)])
}

// scoreOf returns the least static score, apart from its sign, that has a value.
func scoreOf(value, scale int) int {
	if value < 0 {
		return -scoreOf(-value, scale)
	}
	i := sort.Search(len(logistic)-1, func(i int) bool { return int(logistic[i]) >= value })
	return min((i*scale+perScale-1)/perScale, engine.MaxStatic)
}

// decay holds e^-x in 65536ths for x from 0 to 16: what a move weighs that is
// x scales worse than the best. No move weighs nothing.
var decay = func() (t [16*perDecay + 1]uint32) {
	for i := range t {
		t[i] = max(uint32(one*exp(-float64(i)/perDecay)), 1)
	}
	return t
}()

const perDecay = 64

// softmax turns the scores of some nodes, kept in their priors, into shares of one.
// Every share is at least 1.
func softmax(list []node, best, scale int) {
	sum := uint64(0)
	for i := range list {
		n := &list[i]
		behind := best - int(n.prior)
		n.prior = int32(decay[min(behind*perDecay/scale, len(decay)-1)])
		sum += uint64(n.prior)
	}
	for i := range list {
		n := &list[i]
		n.prior = int32(max(uint64(n.prior)*one/sum, 1))
	}
}
