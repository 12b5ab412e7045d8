// Package wdl fits a model of wins, draws and losses to games. A score from the view of the
// side to move gives probabilities:
//
//	P(win)  = 1 / (1 + exp((a - score) / b))
//	P(loss) = 1 / (1 + exp((a + score) / b))
//	P(draw) = 1 - P(win) - P(loss)
//
// a is the score at which a side wins half of its games, so it grows with the share of
// draws. A score that is higher by b multiplies the odds of a win by e. Both are in
// centi-units. At a score of exactly 0, the usual score of a repetition, P(draw) is the share of draws there,
// and a win and a loss have half of the rest each.
//
//	model.go    the model, and counts of outcomes
//	fit.go      coefficients by maximum likelihood; likelihood.go the likelihood
//	bucket.go   predictions next to observations; calibration.go how much may be chance
//	collect.go  Collector: the scores and results of games
//
// The floating-point numbers here are for people: no dataset depends on them.
package wdl

import (
	"maps"
	"math"
	"slices"

	"selfplay/encode"
)

// Model has coefficients in centi-units. A is at least 0, B is positive. DrawnAt0 is P(draw) at 0; 0: as
// A and B say.
type Model struct{ A, B, DrawnAt0 float64 }

// ModelOf returns the model of files.
func ModelOf(w *encode.WDL) Model {
	return Model{A: float64(w.A), B: float64(w.B), DrawnAt0: float64(w.DrawnAt0) / 100}
}

// Chances returns the probabilities of a score.
func (m Model) Chances(score int) (win, draw, loss float64) {
	if score == 0 && m.DrawnAt0 > 0 {
		decided := 1 - m.DrawnAt0
		return decided / 2, m.DrawnAt0, decided / 2
	}
	u, x := m.A/m.B, float64(score)/m.B
	win, loss = sigmoid(x-u), sigmoid(-x-u)
	return win, max(0, 1-win-loss), loss // with a = 0 rounding may give a sum above 1
}

// Lead returns the least score whose leader wins nine of ten decided games. Drawn games do not count, so
// that players who fail to win do not make a lead less.
func (m Model) Lead() int {
	v := math.Exp(-m.A / m.B)
	return int(math.Ceil(m.B * math.Log(4*v+math.Sqrt(16*v*v+9))))
}

// sigmoid is the logistic function.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Count counts outcomes from the view of the side to move.
type Count struct{ Wins, Draws, Losses uint64 }

// All returns the number of outcomes.
func (c Count) All() uint64 { return c.Wins + c.Draws + c.Losses }

func (c *Count) add(d Count) {
	c.Wins += d.Wins
	c.Draws += d.Draws
	c.Losses += d.Losses
}

// Tally counts outcomes by score.
type Tally map[int]Count

// Add counts an outcome at a score, both from the view of one side: 1 won, 0 drawn, -1
// lost.
func (t Tally) Add(score int, outcome int8) {
	c := t[score]
	switch outcome {
	case 1:
		c.Wins++
	case 0:
		c.Draws++
	case -1:
		c.Losses++
	}
	t[score] = c
}

// AddAll adds the counts of another tally.
func (t Tally) AddAll(other Tally) {
	for score, more := range other {
		c := t[score]
		c.add(more)
		t[score] = c
	}
}

// Sum returns the counts of all scores together.
func (t Tally) Sum() (sum Count) {
	for _, c := range t {
		sum.add(c)
	}
	return sum
}

// scores returns the scores of the tally, ascending.
func (t Tally) scores() []int { return slices.Sorted(maps.Keys(t)) }

// LogLoss returns the mean of -log P over all outcomes, in nats.
func (t Tally) LogLoss(m Model) float64 {
	sum := 0.0
	for _, score := range t.scores() {
		win, draw, loss := m.Chances(score)
		sum += lossOf(t[score], win, draw, loss)
	}
	return sum / float64(t.Sum().All())
}

// ConstantLoss returns the log loss of the constant prediction: the shares of wins, draws
// and losses whatever the score.
func (t Tally) ConstantLoss() float64 {
	sum := t.Sum()
	n := float64(sum.All())
	return lossOf(sum, float64(sum.Wins)/n, float64(sum.Draws)/n, float64(sum.Losses)/n) / n
}

// lossOf returns the sum of -log P over the outcomes of a count. Outcomes with a count of 0
// add nothing, even if P is 0.
func lossOf(c Count, win, draw, loss float64) float64 {
	sum := 0.0
	for _, o := range [3]struct {
		n uint64
		p float64
	}{{c.Wins, win}, {c.Draws, draw}, {c.Losses, loss}} {
		if o.n > 0 {
			sum -= float64(o.n) * math.Log(max(o.p, leastChance))
		}
	}
	return sum
}

// leastChance bounds P from below, so that an outcome that the model rules out does not make
// the loss infinite.
const leastChance = 1e-9
