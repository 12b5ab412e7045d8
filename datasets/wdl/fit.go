package wdl

import (
	"errors"
	"math"

	"selfplay/encode"
	"selfplay/engine"
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

// point is a pair of coefficients u = a/b and v = 1/b, in which the likelihood is concave.
type point struct{ u, v float64 }

// derivatives are the log likelihood at a point with its first and second derivatives.
type derivatives struct{ value, u, v, uu, uv, vv float64 }

// observation holds the outcomes at a score.
type observation struct{ score, wins, draws, losses float64 }

// likelihood is a sorted tally without the score 0, so that floating-point sums are reproducible.
type likelihood struct {
	list  []observation
	drawn uint64
}

func newLikelihood(t Tally) *likelihood {
	l := new(likelihood)
	for _, score := range t.scores() {
		if score == 0 {
			continue
		}
		c := t[score]
		l.list = append(l.list, observation{float64(score), float64(c.Wins), float64(c.Draws), float64(c.Losses)})
		l.drawn += c.Draws
	}
	return l
}

// determinesB reports whether the tally has any information about b.
func (l *likelihood) determinesB() bool {
	for _, s := range l.list {
		if s.wins+s.losses > 0 {
			return true
		}
	}
	return false
}

// at returns the log likelihood at p. The probability of a draw is the product of those of
// not winning, of not losing, and of 1 - e^(-2u).
func (l *likelihood) at(p point) (d derivatives) {
	for _, s := range l.list {
		win, loss := p.v*s.score-p.u, -p.v*s.score-p.u
		d.logistic(s.wins, win, -1, s.score)
		d.logistic(s.losses, loss, -1, -s.score)
		d.logistic(s.draws, -win, 1, -s.score)
		d.logistic(s.draws, -loss, 1, s.score)
	}
	if n := float64(l.drawn); n > 0 {
		sinh := math.Sinh(p.u)
		d.value += n * math.Log(-math.Expm1(-2*p.u))
		d.u += n * 2 / math.Expm1(2*p.u)
		d.uu -= n / (sinh * sinh)
	}
	return d
}

// logistic adds n times the logarithm of sigmoid(y), where yu and yv are the derivatives of
// y by u and v.
func (d *derivatives) logistic(n, y, yu, yv float64) {
	if n == 0 {
		return
	}
	first, second := n*sigmoid(-y), -n*sigmoid(y)*sigmoid(-y)
	d.value -= n * softplus(-y)
	d.u += first * yu
	d.v += first * yv
	d.uu += second * yu * yu
	d.uv += second * yu * yv
	d.vv += second * yv * yv
}

// softplus returns log(1 + e^x) without overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// newton returns the step of Newton's method from a point.
func (l *likelihood) newton(d derivatives) point {
	if l.drawn == 0 {
		return point{v: -d.v / d.vv}
	}
	det := d.uu*d.vv - d.uv*d.uv
	return point{u: (d.uv*d.v - d.vv*d.u) / det, v: (d.uv*d.u - d.uu*d.v) / det}
}

// uphill takes a step of Newton's method from p, shortened until the likelihood does not
// decrease.
func (l *likelihood) uphill(p point, d derivatives) (point, derivatives) {
	step := l.newton(d)
	for range 60 {
		next := point{p.u + step.u, p.v + step.v}
		if l.drawn == 0 || next.u > 0 {
			if after := l.at(next); after.value >= d.value {
				return next, after
			}
		}
		step.u, step.v = step.u/2, step.v/2
	}
	return p, d
}

// blocks is the number of blocks of whole games for the standard errors.
const blocks = 20

// Sources counts the games of a fit, and what it excludes.
type Sources struct {
	Games       uint64 `json:"games"`
	Cut         uint64 `json:"games_cut_off"`
	Adjudicated uint64 `json:"games_adjudicated"`
	Proven      uint64 `json:"plies_proven"`
}

// Collector tallies the scores of games with their results, in blocks of whole games. It
// belongs to one goroutine; Fork makes collectors for others.
type Collector struct {
	Sources
	// CountAdjudicated counts adjudicated games like others. Without them the games of a
	// dataset that adjudicates are mostly draws. Set it before Add.
	CountAdjudicated bool
	// Known is compared with the fit; nil: nothing is.
	Known *encode.WDL

	game    encode.Game
	variant string
	pos     engine.Position
	blocks  [blocks]Tally
}

// NewCollector returns a collector for games of a variant of g.
func NewCollector(g encode.Game, variant string) *Collector {
	c := &Collector{game: g, variant: variant, pos: g.New(variant)}
	for i := range c.blocks {
		c.blocks[i] = Tally{}
	}
	return c
}

// Fork returns a collector without games.
func (c *Collector) Fork() *Collector {
	fork := NewCollector(c.game, c.variant)
	fork.CountAdjudicated = c.CountAdjudicated
	return fork
}

// Merge adds the games of a fork.
func (c *Collector) Merge(fork *Collector) {
	for i, t := range fork.blocks {
		c.blocks[i].AddAll(t)
	}
	c.Games += fork.Games
	c.Cut += fork.Cut
	c.Adjudicated += fork.Adjudicated
	c.Proven += fork.Proven
}

// Add tallies the searched plies of a game. It replays the game, because only the position
// knows the side to move. It excludes games that were cut off, which have no result, and,
// unless CountAdjudicated is set, adjudicated games, whose result follows from the scores. The block depends on the number
// of the game, so that the result does not depend on how games are divided among readers.
// The split does not matter.
func (c *Collector) Add(r *engine.Record, _ bool) error {
	switch {
	case r.Outcome.Result == engine.NoResult:
		c.Cut++
		return nil
	case r.Outcome.Reason == engine.Adjudicated && !c.CountAdjudicated:
		c.Adjudicated++
		return nil
	}
	block := c.blocks[r.Game%blocks]
	c.Games++
	return c.game.Replay(c.pos, r, func(ply int, _ engine.Move) {
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			c.count(block, int(r.Scores[ply]), r.Outcome.For(c.pos.Turn()))
		}
	})
}

// count tallies a score, unless it is a proven end and needs no model.
func (c *Collector) count(block Tally, score int, outcome int8) {
	if max(score, -score) > engine.MaxStatic {
		c.Proven++
		return
	}
	block.Add(score, outcome)
}

// Report describes a fit. A and B are in centi-units.
type Report struct {
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	ErrorA float64 `json:"a_error,omitempty"` // standard error, if there are enough games
	ErrorB float64 `json:"b_error,omitempty"`
	N      uint64  `json:"n"` // plies

	DrawnAt0 float64 `json:"drawn_at_0"` // share of draws at a score of 0
	At0      uint64  `json:"n_at_0"`     // plies with it

	LogLoss         float64 `json:"log_loss"`          // of the fit, in nats
	LogLossConstant float64 `json:"log_loss_constant"` // of constant probabilities, in nats
	Known           *Known  `json:"known,omitempty"`

	Sources
	Buckets []Bucket `json:"buckets"`
}

// Known is a model that was fitted earlier, and its log loss on these games.
type Known struct {
	encode.WDL
	LogLoss float64 `json:"log_loss"`
}

// Fit fits the model to all games. For errors see the function Fit.
func (c *Collector) Fit() (*Report, error) {
	all := Tally{}
	for _, t := range c.blocks {
		all.AddAll(t)
	}
	m, err := Fit(all)
	if err != nil {
		return nil, err
	}
	r := &Report{
		A: m.A, B: m.B, DrawnAt0: m.DrawnAt0, N: all.Sum().All(), At0: all[0].All(), LogLoss: all.LogLoss(m), LogLossConstant: all.ConstantLoss(),
		Sources: c.Sources, Buckets: all.Buckets(&m, BucketCount),
	}
	if c.Known != nil {
		r.Known = &Known{*c.Known, all.LogLoss(ModelOf(c.Known))}
	}
	if a, b, err := Errors(c.blocks[:]); err == nil {
		r.ErrorA, r.ErrorB = a, b
	}
	return r, nil
}
