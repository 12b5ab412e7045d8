package contrast

import (
	"math/rand/v2"

	"selfplay/engine"
)

// The order and the bounds of all draws belong to the version of the player.

// DoRandom plays a move drawn uniformly from the legal ones. With tiles in hand it
// draws from a rectangle, base moves by placements, as wide as the base move with
// most room could need, until it hits a placement that the base move has.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	var w ways
	all := p.look(&w, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	c := p.choices()
	if c.n == 0 {
		m := p.base(&w, engine.Below(src, all))
		p.Do(m)
		return m, true
	}
	free := p.empty() & p.bare()
	width := 1 + c.n*(free.count()+1)
	for {
		r := engine.Below(src, all*width)
		m := p.base(&w, r/width)
		if r %= width; r > 0 {
			room := p.room(free, fromOf(m), toOf(m))
			if r > c.n*room.count() {
				continue
			}
			m |= place(room, c, r-1)
		}
		p.Do(m)
		return m, true
	}
}

// RandomTile plays a move drawn in three steps: a base move, uniformly; whether a
// tile goes with it, if one can be laid, by share; and which, uniformly over kinds
// in hand and cells. It fails where Random fails. Uniform play lays all tiles within
// ten plies; this keeps some for later.
func (p *Position) RandomTile(src *rand.PCG, share engine.Fraction) (engine.Move, bool) {
	var w ways
	all := p.look(&w, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	m := p.base(&w, engine.Below(src, all))
	if c := p.choices(); c.n > 0 && engine.Below(src, uint32(engine.One)) < uint32(share) {
		room := p.room(p.empty()&p.bare(), fromOf(m), toOf(m))
		if n := c.n * room.count(); n > 0 {
			m |= place(room, c, engine.Below(src, n))
		}
	}
	p.Do(m)
	return m, true
}

// base returns the r-th of the base moves that w holds.
func (p *Position) base(w *ways, r uint32) engine.Move {
	i := 0
	for {
		n := w[i&7].count()
		if r < n {
			break
		}
		r -= n
		i++
	}
	from := w[i&7].nth(r)
	return newMove(from, p.landing(from, directions[i&7]))
}

// place returns the r-th placement: each kind in hand on each square of the room.
func place(room set, c *choices, r uint32) engine.Move {
	if c.n == 2 {
		return placement(room.nth(r/2), c.kinds[r&1])
	}
	return placement(room.nth(r), c.kinds[0])
}
