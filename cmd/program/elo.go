package program

import (
	"math"

	"selfplay/engine"
)

// score is the result of a game for player A in half points: 0, 1 or 2.
type score uint8

// scoreOf returns the score of A, who had the given side. A game that was cut off is a
// draw.
func scoreOf(o engine.Outcome, a engine.Side) score { return score(1 + o.For(a)) }

// tally counts the games of a match by the result for A, and its pairs of games by the
// points of A. A pair is two games from one opening, with sides swapped.
type tally struct {
	Wins   uint64    `json:"wins"`
	Losses uint64    `json:"losses"`
	Draws  uint64    `json:"draws"`
	Pairs  uint64    `json:"pairs"`
	Penta  [5]uint64 `json:"penta"` // pairs with 0, 0.5, 1, 1.5 and 2 points
}

// add counts a pair by the scores of A.
func (t *tally) add(first, second score) {
	games := [3]*uint64{&t.Losses, &t.Draws, &t.Wins}
	*games[first]++
	*games[second]++
	t.Penta[first+second]++
	t.Pairs++
}

// Constants of the Elo estimate.
const (
	confidence = 1.959964 // standard deviations on each side of a 95 % interval
	prior      = 0.25     // pairs with 0 and with 2 points that are added, so that Elo is finite
)

// elo returns how much stronger A is, with a 95 % interval, by the pentanomial model: pairs
// are independent and have one of five scores. The two games of a pair are not independent,
// because the opening may favour a side. Taking them as independent would make the interval
// too wide (https://www.chessprogramming.org/Match_Statistics).
func (t *tally) elo() (elo, low, high float64) {
	n, mean, deviation := t.moments()
	margin := confidence * deviation
	edge := prior / (2 * n) // keeps the interval finite
	return eloOf(mean), eloOf(max(mean-margin, edge)), eloOf(min(mean+margin, 1-edge))
}

// los returns the likelihood of superiority: the probability that A is the stronger player.
func (t *tally) los() float64 {
	_, mean, deviation := t.moments()
	return math.Erfc((0.5-mean)/deviation/math.Sqrt2) / 2
}

// moments returns the number of pairs, the mean score of A between 0 and 1, and the
// standard deviation of this mean, all with the prior.
func (t *tally) moments() (n, mean, deviation float64) {
	weights := [5]float64{prior, 0, 0, 0, prior}
	n = 2 * prior
	for i, pairs := range t.Penta {
		weights[i] += float64(pairs)
		n += float64(pairs)
	}
	for i, w := range weights {
		mean += w / n * float64(i) / 4
	}
	variance := 0.0
	for i, w := range weights {
		d := float64(i)/4 - mean
		variance += w / n * d * d
	}
	return n, mean, math.Sqrt(variance / n)
}

// eloOf returns the Elo difference of an expected score between 0 and 1.
func eloOf(score float64) float64 { return 400 * math.Log10(score/(1-score)) }
