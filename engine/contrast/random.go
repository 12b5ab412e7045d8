package contrast

import (
	"math/rand/v2"

	"selfplay/engine"
)

// The order and the bounds of all draws belong to the player's version.

// DoRandom plays a legal move drawn uniformly. With tiles in hand it uses rejection
// sampling: it draws a cell of a rectangle, base moves by placements, whose width is
// the largest number of placements that any base move can have, until the placement
// exists.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	var b baseMoves
	all := p.findBaseMoves(&b, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	k := p.tileKinds()
	if k.n == 0 {
		m := p.nthBaseMove(&b, engine.Below(src, all))
		p.Do(m)
		return m, true
	}
	free := p.empty() & p.bare()
	width := 1 + k.n*(free.count()+1)
	for {
		r := engine.Below(src, all*width)
		m := p.nthBaseMove(&b, r/width)
		if r %= width; r > 0 {
			allowed := p.tileSquares(free, fromOf(m), toOf(m))
			if r > k.n*allowed.count() {
				continue
			}
			m |= nthPlacement(allowed, k, r-1)
		}
		p.Do(m)
		return m, true
	}
}

// RandomTile plays a random move drawn in three steps: a base move, uniformly; whether
// to place a tile, with the given probability, if a tile can be placed; and the tile,
// uniformly over kinds in hand and squares. It fails where DoRandom fails. Uniform
// play places all tiles within about ten plies; RandomTile keeps some for later.
func (p *Position) RandomTile(src *rand.PCG, probability engine.Fraction) (engine.Move, bool) {
	var b baseMoves
	all := p.findBaseMoves(&b, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	m := p.nthBaseMove(&b, engine.Below(src, all))
	if k := p.tileKinds(); k.n > 0 && engine.Below(src, uint32(engine.One)) < uint32(probability) {
		allowed := p.tileSquares(p.empty()&p.bare(), fromOf(m), toOf(m))
		if n := k.n * allowed.count(); n > 0 {
			m |= nthPlacement(allowed, k, engine.Below(src, n))
		}
	}
	p.Do(m)
	return m, true
}

// nthBaseMove returns the r-th base move of b.
func (p *Position) nthBaseMove(b *baseMoves, r uint32) engine.Move {
	i := 0
	for {
		n := b[i&7].count()
		if r < n {
			break
		}
		r -= n
		i++
	}
	from := b[i&7].nth(r)
	return newMove(from, p.landing(from, directions[i&7]))
}

// nthPlacement returns the r-th placement: each kind in hand on each allowed square.
func nthPlacement(allowed set, k *tileKinds, r uint32) engine.Move {
	if k.n == 2 {
		return placement(allowed.nth(r/2), k.kinds[r&1])
	}
	return placement(allowed.nth(r), k.kinds[0])
}
