package program

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplay/engine"
)

// pairScore is the result of a game for player A in half points: 0, 1 or 2.
type pairScore uint8

// scoreOf returns the score of A, who had the given side. A game that was cut off is a
// draw.
func scoreOf(o engine.Outcome, a engine.Side) pairScore { return pairScore(1 + o.For(a)) }

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
func (t *tally) add(first, second pairScore) {
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

// sprt is a sequential test of whether A is stronger by Elo1 rather than by Elo0. Both
// errors have a probability of 5 %. It is the generalised test for pairs (pentanomial) that
// fishtest and fastchess apply, with logistic Elo, as everywhere in match
// (https://www.chessprogramming.org/Sequential_Probability_Ratio_Test).
type sprt struct {
	Elo0   float64 `json:"elo0"`
	Elo1   float64 `json:"elo1"`
	LLR    float64 `json:"llr"`    // log-likelihood ratio of the pairs played
	Limit  float64 `json:"limit"`  // the test ends when LLR reaches it or its negative
	Accept string  `json:"accept"` // elo0, elo1, or "" if the test did not end
}

// sprtLimit is the limit for errors with a probability of 5 %.
var sprtLimit = math.Log(0.95 / 0.05)

// maxElo bounds the hypotheses.
const maxElo = 1000

// parseSPRT parses ELO0,ELO1.
func parseSPRT(text string) (*sprt, error) {
	low, high, _ := strings.Cut(text, ",")
	elo0, err0 := strconv.ParseFloat(low, 64)
	elo1, err1 := strconv.ParseFloat(high, 64)
	if err0 != nil || err1 != nil || !(-maxElo <= elo0 && elo0 < elo1 && elo1 <= maxElo) {
		return nil, fmt.Errorf("%q: want ELO0,ELO1 from -%d to %d, the smaller number first", text, maxElo, maxElo)
	}
	return &sprt{Elo0: elo0, Elo1: elo1, Limit: sprtLimit}, nil
}

// update reports whether the pairs of t end the test.
func (s *sprt) update(t *tally) (ended bool) {
	s.LLR = llr(t.Penta, scoreAt(s.Elo0), scoreAt(s.Elo1))
	switch {
	case s.LLR >= s.Limit:
		s.Accept = "elo1"
	case s.LLR <= -s.Limit:
		s.Accept = "elo0"
	}
	return s.Accept != ""
}

// String describes the state of the test.
func (s *sprt) String() string {
	verdict := "undecided"
	if s.Accept != "" {
		verdict = s.Accept + " accepted"
	}
	return fmt.Sprintf("SPRT elo0 %v, elo1 %v: LLR %.2f (%.2f to %.2f), %s", s.Elo0, s.Elo1, s.LLR, -s.Limit, s.Limit, verdict)
}

// scoreAt returns the expected score of an Elo difference.
func scoreAt(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// noPairs stands for the number of pairs with a score that no pair has. Without it the
// likelihood of one-sided results would not exist.
const noPairs = 1e-3

// llr returns the logarithm of the likelihood of the pairs if the expected score is s1,
// minus that if it is s0. Each likelihood is that of the most likely distribution with this
// expectation.
func llr(penta [5]uint64, s0, s1 float64) (sum float64) {
	var pairs [5]float64
	for i, n := range penta {
		pairs[i] = max(float64(n), noPairs)
	}
	x0, x1 := multiplier(pairs, s0), multiplier(pairs, s1)
	for i, n := range pairs {
		score := float64(i) / 4
		sum += n * (math.Log1p(x0*(score-s0)) - math.Log1p(x1*(score-s1)))
	}
	return sum
}

// multiplier returns the Lagrange multiplier x of the most likely distribution with
// expectation s. It gives score a the probability p/(1+x(a-s)), where p is the observed
// frequency. x solves sum p(a-s)/(1+x(a-s)) = 0. The sum falls from +inf to -inf
// between the poles.
func multiplier(pairs [5]float64, s float64) float64 {
	low, high := -1/(1-s), 1/s
	for range 100 { // bisection to the last bit
		x, sum := (low+high)/2, 0.0
		for i, p := range pairs {
			a := float64(i)/4 - s
			sum += p * a / (1 + x*a)
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}
