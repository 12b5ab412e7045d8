package wdl

import "math"

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
