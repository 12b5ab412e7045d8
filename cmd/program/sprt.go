package program

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

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
