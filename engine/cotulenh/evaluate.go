package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side that decides; 100 is about an
// infantry. It is a sum over both sides of what their stacks are worth where they
// stand (weights.go) and of how safe their commanders are. Nothing of it is kept
// from step to step, and in an open session it counts what stands on the board.
//
// Scores are part of a player's version: whoever changes one changes datasets.
func (p *Position) Evaluate() int { return p.score(&standard) }

// Over reports whether the game is over for any reason but the lack of a legal
// step; never in an open session.
func (p *Position) Over() bool { return !p.session.open() && p.ended() }

// Gain estimates what a legal step wins at once: what it takes, less what a
// suicide costs. Of equal victims it prefers the one that a cheaper piece takes.
func (p *Position) Gain(m engine.Move) int {
	e, from := effectOf(m), fromOf(m)
	if e != capture && e != stay && e != suicide {
		return 0
	}
	mover := p.cells[from] & 511
	if what := whatOf(m); what >= deploy {
		mover = kept[mover][1<<(what-deploy)&7]
	}
	victim, own := int(prices[p.cells[toOf(m)]&511]), int(prices[mover])
	if e == suicide {
		return victim - own
	}
	return victim - min(own, mostTie)/tieShare
}

// What a capture gains is less by a small share of what captures: of the price, or
// of mostTie for a stack with the commander, lest a cheap victim gain nothing.
const (
	tieShare = 128
	mostTie  = 1024
)

// score is Evaluate with any weights.
func (p *Position) score(w *weights) int {
	us := p.turn & 1
	own, enemy := p.muster(us, w), p.muster(us^1, w)
	mid, late := own.mid-enemy.mid, own.late-enemy.late
	mid += p.shelter(us, w, enemy.planes) - p.shelter(us^1, w, own.planes)
	left := min(own.force+enemy.force, openingForce)
	s := late + (mid-late)*left/openingForce + w.tempo
	if p.attackedNow(us) != unharmed {
		s -= w.check
	}
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// strength is what a side has on the board.
type strength struct {
	mid, late int // worth of the stacks where they stand, in the opening and in the end
	force     int // material without the commander
	planes    int // air forces that air defense can stop
}

// muster sums up a side.
func (p *Position) muster(side uint8, w *weights) (s strength) {
	a := &p.sides[side&1]
	mid, late, census := int32(0), int32(0), uint32(0)
	for _, sq := range a.list[:a.n] {
		code := p.cells[sq] & 511
		v := w.worth[code][sq]
		mid += int32(int16(v))
		late += v >> 16
		census += censuses[code]
	}
	s.mid, s.late = int(mid), int(late)
	s.force, s.planes = int(census&(planeUnit-1)), int(census/planeUnit)
	return s
}

// shelter tells how safe a side's commander is, from 0 down: enemies near it and
// aiming at it over what still stands between, no cover against air forces. Own
// stacks around it were tried and are worth nothing.
func (p *Position) shelter(side uint8, w *weights, planes int) int {
	sq := p.sides[side&1].commander
	if sq == noSquare {
		return 0
	}
	them := &p.occ[side&1^1]
	s := -w.near * shared(&nearRing[sq], them)
	if planes > 0 && p.zones[side&1][sq] == 0 {
		s -= w.bare
	}
	land, star := p.landTarget(sq), &stars[sq]
	for i := range 3 {
		for set := star[i] & them[i]; set != 0; set &= set - 1 {
			from := uint8(i<<6 | bits.TrailingZeros64(set))
			l := &link[from-sq]
			if reaches[land][p.cells[from]&511][l.diagonal<<3|l.n] != 0 {
				s -= w.aim
			}
		}
	}
	return s
}

// shared counts the squares that two sets share.
func shared(a, b *squareSet) int {
	return bits.OnesCount64(a[0]&b[0]) + bits.OnesCount64(a[1]&b[1]) + bits.OnesCount64(a[2]&b[2])
}
