package wdl

import "math"

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
