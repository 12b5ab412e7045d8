package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side that decides; 100 is about an
// infantry. It is a sum over both sides of what their stacks are worth where they
// stand (weights.go, tally.go) and of how safe their commanders are. In an open
// session it counts what stands on the board.
//
// Scores are part of a player's version: whoever changes one changes datasets.
func (p *Position) Evaluate() int {
	if !p.tally.known {
		p.count()
	}
	return p.judge(p.tally.of(0), p.tally.of(1), &standard)
}

// Over reports whether the game is over for any reason but the lack of a legal
// step; never in an open session.
func (p *Position) Over() bool { return !p.session.open() && p.ended() }

// score is Evaluate with any weights, counted afresh.
func (p *Position) score(w *weights) int {
	return p.judge(p.muster(0, w).split(), p.muster(1, w).split(), w)
}

// judge weighs what the sides have, first the one that moves first.
func (p *Position) judge(first, second strength, w *weights) int {
	us, own, enemy := p.turn&1, &first, &second
	if us == 1 {
		own, enemy = enemy, own
	}
	mid, late := own.mid-enemy.mid, own.late-enemy.late
	mid += p.shelter(us, w, enemy.planes) - p.shelter(us^1, w, own.planes)
	left := min(own.force+enemy.force, openingForce)
	s := late + (mid-late)*left/openingForce + w.tempo
	if p.attackedNow(us) != unharmed {
		s -= w.check
	}
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
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
