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

// Bucket compares a model with the outcomes in a range of scores, both ends included. Shares
// are those of wins, draws and losses, from 0 to 1.
//
// A Calibration also counts games: the plies of a game are one result. Results is the number of
// independent results that the plies are worth, which is less than that of the games if some have more plies than
// others. Error has the standard errors of Seen.
type Bucket struct {
	Low       int        `json:"low"`
	High      int        `json:"high"`
	Plies     uint64     `json:"plies"`
	Predicted [3]float64 `json:"predicted,omitzero"` // shares by the model; zeros without one
	Seen      [3]float64 `json:"seen"`               // shares of the plies
	Results   float64    `json:"results,omitzero"`   // independent results that the plies are worth
	Error     [3]float64 `json:"error,omitzero"`     // standard errors of Seen
}

// BucketCount is the number of ranges of scores in reports.
const BucketCount = 12

// Buckets compares a model, nil for none, with the outcomes. It divides the scores into n ranges with about equal numbers of plies. One score is
// never divided, so there may be fewer than n.
func (t Tally) Buckets(m *Model, n int) (list []Bucket) {
	all := t.Sum().All()
	var in []int // scores of the bucket being filled
	done, plies := uint64(0), uint64(0)
	for _, score := range t.scores() {
		in = append(in, score)
		plies += t[score].All()
		if (done+plies)*uint64(n) >= all*uint64(len(list)+1) {
			list = append(list, t.bucket(m, in))
			done, plies, in = done+plies, 0, in[:0]
		}
	}
	return list
}

// bucket returns the bucket of a list of scores.
func (t Tally) bucket(m *Model, scores []int) Bucket {
	b := Bucket{Low: scores[0], High: scores[len(scores)-1]}
	var sum Count
	for _, score := range scores {
		c := t[score]
		sum.add(c)
		if m == nil {
			continue
		}
		win, draw, loss := m.Chances(score)
		for i, p := range [3]float64{win, draw, loss} {
			b.Predicted[i] += p * float64(c.All())
		}
	}
	b.Plies = sum.All()
	for i, n := range [3]uint64{sum.Wins, sum.Draws, sum.Losses} {
		b.Predicted[i] /= float64(b.Plies)
		b.Seen[i] = float64(n) / float64(b.Plies)
	}
	return b
}

// Calibration compares a model with results in ranges of scores half as wide as its b. The plies of a
// game share its result, so those in one range count together: the squared standard error of a
// difference is the sum over games of the squared sum of residuals. All sums are whole numbers, so
// the order of the games does not matter.
type Calibration struct {
	model   Model
	game    [ranges][4]int64  // of the current game: plies, and residuals of wins, draws and losses
	squares [ranges][4]uint64 // sums over games of the squares of these
}

// ranges is the number of ranges. The middle one is centred on 0, the outermost ones have no end.
const ranges = 13

// thousandths is the unit of residuals.
const thousandths = 1000

// NewCalibration returns a calibration of a model without games.
func NewCalibration(m Model) *Calibration { return &Calibration{model: m} }

// Add counts a ply of the current game: a score and the outcome of the game, both from the view of one
// side.
func (c *Calibration) Add(score int, outcome int8) {
	win, draw, loss := c.model.Chances(score)
	sums := &c.game[c.model.rangeOf(score)]
	sums[0]++
	sums[2-outcome] += thousandths
	for i, p := range [3]float64{win, draw, loss} {
		sums[1+i] -= int64(math.Round(p * thousandths))
	}
}

// EndGame ends the current game.
func (c *Calibration) EndGame() {
	for i := range c.game {
		for j, n := range c.game[i] {
			c.squares[i][j] += uint64(n * n)
		}
	}
	c.game = [ranges][4]int64{}
}

// Merge adds the games of another calibration of the same model.
func (c *Calibration) Merge(o *Calibration) {
	for i := range c.squares {
		for j, n := range o.squares[i] {
			c.squares[i][j] += n
		}
	}
}

// Buckets returns the ranges with plies. t has the same plies.
func (c *Calibration) Buckets(t Tally) (list []Bucket) {
	var in [ranges][]int // scores
	for _, score := range t.scores() {
		i := c.model.rangeOf(score)
		in[i] = append(in[i], score)
	}
	for i, scores := range in {
		if len(scores) == 0 {
			continue
		}
		b := t.bucket(&c.model, scores)
		n := float64(b.Plies)
		b.Results = n * n / float64(c.squares[i][0])
		for j := range b.Error {
			b.Error[j] = math.Sqrt(float64(c.squares[i][1+j])) / thousandths / n
		}
		list = append(list, b)
	}
	return list
}

// rangeOf returns the range of a score.
func (m Model) rangeOf(score int) int {
	const middle = ranges / 2
	return middle + int(max(-middle, min(math.Floor(float64(score)/(m.B/2)+0.5), middle)))
}
