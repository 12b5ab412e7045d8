package wdl

import (
	"errors"
	"math"
)

// Errors of Fit.
var (
	ErrNothingSeen = errors.New("fit wdl: no won or lost game with a score other than 0")
	ErrNoSense     = errors.New("fit wdl: higher scores do not win more often")
	ErrNoDoubt     = errors.New("fit wdl: the sign of the score tells every outcome, want more games")
)

// Fit returns the model under which what was seen is likeliest.
//
// This is the ordered logit model with thresholds at -a and a. Its likelihood is
// concave in u = a/b and v = 1/b (Pratt, "Concavity of the log likelihood", 1981),
// so Newton's method with steps that never go down finds the one maximum. Where no
// game was drawn a is 0.
func Fit(t Tally) (Model, error) {
	l := newLikelihood(t)
	if !l.tells() {
		return Model{}, ErrNothingSeen
	}
	at := point{v: startV}
	if l.drawn > 0 {
		at.u = startU
	}
	here := l.at(at)
	for range maxSteps {
		next, there := l.uphill(at, here)
		gain := there.value - here.value
		at, here = next, there
		if gain < leastGain*math.Abs(here.value) {
			break
		}
	}
	switch {
	case at.v <= 0:
		return Model{}, ErrNoSense
	case at.v > 1:
		return Model{}, ErrNoDoubt
	}
	return Model{A: at.u / at.v, B: 1 / at.v}, nil
}

// Errors returns the standard errors of the coefficients fitted to some blocks of games
// together, by leaving out one block at a time (the jackknife). Plies of one game end
// alike, so an error by plies would be far too small; by blocks of whole games it is not.
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

// without adds up all blocks but one.
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
	leastGain      = 1e-15 // of the log likelihood, by which a step must better it
)

// point is a pair of coefficients in the form in which the likelihood is concave.
type point struct{ u, v float64 }

// slopes are the log likelihood at a point, and its first and second derivatives.
type slopes struct{ value, u, v, uu, uv, vv float64 }

// seen is a score and what it led to.
type seen struct{ score, wins, draws, losses float64 }

// likelihood is a tally in an order, so that a sum of floats is always the same.
type likelihood struct {
	list  []seen
	drawn uint64
}

func newLikelihood(t Tally) *likelihood {
	l := new(likelihood)
	for _, score := range t.scores() {
		c := t[score]
		l.list = append(l.list, seen{float64(score), float64(c.Wins), float64(c.Draws), float64(c.Losses)})
		l.drawn += c.Draws
	}
	return l
}

// tells reports whether anything can be learned of b.
func (l *likelihood) tells() bool {
	for _, s := range l.list {
		if s.score != 0 && s.wins+s.losses > 0 {
			return true
		}
	}
	return false
}

// at returns the log likelihood at p. A draw's chance is that of not winning times
// that of not losing times 1 - e^(-2u).
func (l *likelihood) at(p point) (d slopes) {
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

// logistic adds n times the logarithm of sigmoid(y), where y changes by yu with u and
// by yv with v.
func (d *slopes) logistic(n, y, yu, yv float64) {
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

// softplus returns log(1 + e^x) without running over.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// uphill takes a step of Newton's method from p, or so much of one that the likelihood
// does not fall.
func (l *likelihood) uphill(p point, d slopes) (point, slopes) {
	step := point{v: -d.v / d.vv}
	if l.drawn > 0 {
		det := d.uu*d.vv - d.uv*d.uv
		step = point{u: (d.uv*d.v - d.vv*d.u) / det, v: (d.uv*d.u - d.uu*d.v) / det}
	}
	for range 60 {
		next := point{p.u + step.u, p.v + step.v}
		if l.drawn == 0 || next.u > 0 {
			if there := l.at(next); there.value >= d.value {
				return next, there
			}
		}
		step.u, step.v = step.u/2, step.v/2
	}
	return p, d
}
