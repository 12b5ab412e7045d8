package search

import "math"

// Expected returns the expected result of a score by a logistic model of wins, draws and
// losses: the probability of a win plus half of that of a draw, in 10,000ths. a and b are the
// coefficients of the model (see encode.WDL), b above 0. It is the same on every machine.
func Expected(score, a, b int) int {
	win := 1 / (1 + exp(float64(a-score)/float64(b)))
	loss := 1 / (1 + exp(float64(a+score)/float64(b)))
	return int(math.Floor(float64(5000*(1+(win-loss))) + 0.5))
}
