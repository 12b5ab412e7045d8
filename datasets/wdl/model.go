// Package wdl fits a model of wins, draws and losses to games that were played. A
// score, seen by the side to move, stands for chances:
//
//	P(win)  = 1 / (1 + exp((a - score) / b))
//	P(loss) = 1 / (1 + exp((a + score) / b))
//	P(draw) = 1 - P(win) - P(loss)
//
// a is the score at which a side wins every second game, so it grows with the share
// of draws; b is how much more of a score makes a win e times as likely against not
// winning. Both are in centi-units.
//
//	model.go    the model, and what was seen
//	fit.go      coefficients by maximum likelihood
//	bucket.go   what the model says beside what was seen
//
// The floats here are for readers: no dataset depends on them.
package wdl

import (
	"maps"
	"math"
	"slices"
)

// Model is a pair of coefficients. A is at least 0, B above 0.
type Model struct{ A, B float64 }

// Chances returns what a score stands for.
func (m Model) Chances(score int) (win, draw, loss float64) {
	u, x := m.A/m.B, float64(score)/m.B
	win, loss = sigmoid(x-u), sigmoid(-x-u)
	return win, max(0, 1-win-loss), loss // where a is 0 the two may add up to a last digit more than 1
}

// sigmoid is the logistic function.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Count is how often each outcome was seen, by the side to move.
type Count struct{ Wins, Draws, Losses uint64 }

// All returns how many outcomes were counted.
func (c Count) All() uint64 { return c.Wins + c.Draws + c.Losses }

func (c *Count) add(d Count) {
	c.Wins += d.Wins
	c.Draws += d.Draws
	c.Losses += d.Losses
}

// Tally holds what was seen, by score.
type Tally map[int]Count

// Add counts the outcome of a game that had a score, both seen by one side: 1 won, 0
// drawn, -1 lost.
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

// AddAll counts what another tally holds.
func (t Tally) AddAll(other Tally) {
	for score, more := range other {
		c := t[score]
		c.add(more)
		t[score] = c
	}
}

// Sum returns the outcomes of all scores.
func (t Tally) Sum() (sum Count) {
	for _, c := range t {
		sum.add(c)
	}
	return sum
}

// scores returns the scores that were seen, from the lowest.
func (t Tally) scores() []int { return slices.Sorted(maps.Keys(t)) }

// LogLoss returns the mean of -log P over all outcomes that were seen, in nats.
func (t Tally) LogLoss(m Model) float64 {
	sum := 0.0
	for _, score := range t.scores() {
		win, draw, loss := m.Chances(score)
		sum += lossOf(t[score], win, draw, loss)
	}
	return sum / float64(t.Sum().All())
}

// ConstantLoss is the log loss of someone who knows how often each outcome was seen,
// and no score.
func (t Tally) ConstantLoss() float64 {
	sum := t.Sum()
	n := float64(sum.All())
	return lossOf(sum, float64(sum.Wins)/n, float64(sum.Draws)/n, float64(sum.Losses)/n) / n
}

// lossOf returns the loss of all outcomes of a count. What was never seen costs
// nothing, however unlikely it was.
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

// leastChance keeps one outcome that a model rules out from making a loss infinite.
const leastChance = 1e-9
