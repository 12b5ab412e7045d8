package wdl

import (
	"errors"
	"math"
)

// Errors of Fit.
var (
	ErrNoData    = errors.New("fit wdl: no won or lost game with a score other than 0")
	ErrInverted  = errors.New("fit wdl: higher scores do not win more often")
	ErrSeparable = errors.New("fit wdl: the sign of the score predicts every outcome: want more games")
)

// Fit returns the model of maximum likelihood. At a score of 0 that is the share of draws, and only the
// other scores determine a and b.
//
// This is the ordered logit model with thresholds at -a and a. Its likelihood is concave in
// u = a/b and v = 1/b (Pratt, "Concavity of the log likelihood", 1981), so Newton's method
// with steps that never decrease it finds the maximum. Without draws a is 0.
func Fit(t Tally) (Model, error) {
	l := newLikelihood(t)
	if !l.determinesB() {
		return Model{}, ErrNoData
	}
	at := point{v: startV}
	if l.drawn > 0 {
		at.u = startU
	}
	here := l.at(at)
	for range maxSteps {
		next, after := l.uphill(at, here)
		gain := after.value - here.value
		at, here = next, after
		if gain < leastGain*math.Abs(here.value) {
			break
		}
	}
	switch {
	case at.v <= 0:
		return Model{}, ErrInverted
	case at.v > 1:
		return Model{}, ErrSeparable
	}
	// The likelihood is flat at its maximum, so its rounding hides steps below the root of its precision. The derivatives
	// still show the last one.
	last := l.newton(here)
	at = point{at.u + last.u, at.v + last.v}
	return Model{A: at.u / at.v, B: 1 / at.v, DrawnAt0: t.drawnAt0()}, nil
}

// drawnAt0 returns the share of draws at a score of 0, 0 without any.
func (t Tally) drawnAt0() float64 {
	c := t[0]
	return float64(c.Draws) / float64(max(c.All(), 1))
}

// Errors returns the standard errors of the coefficients that are fitted to all blocks
// together. It leaves out one block at a time (the jackknife). The plies of a game share one
// outcome, so they are not independent: a block must hold whole games.
func Errors(blocks []Tally) (a, b float64, err error) {
	k := float64(len(blocks))
	var sum, squares [2]float64
	for i := range blocks {
		m, err := Fit(without(blocks, i))
		if err != nil {
			return 0, 0, err
		}
		for j, x := range [2]float64{m.A, m.B} {
			sum[j] += x
			squares[j] += x * x
		}
	}
	spread := func(j int) float64 { return math.Sqrt(max(0, (k-1)/k*(squares[j]-sum[j]*sum[j]/k))) }
	return spread(0), spread(1), nil
}

// without returns the sum of all blocks but one.
func without(blocks []Tally, left int) Tally {
	sum := Tally{}
	for i, t := range blocks {
		if i != left {
			sum.AddAll(t)
		}
	}
	return sum
}

const (
	startU, startV = 0.5, 0.005 // a = 100, b = 200
	maxSteps       = 200
	leastGain      = 1e-15 // relative improvement of the log likelihood below which the search ends
)
