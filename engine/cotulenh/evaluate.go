package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move, in hundredths of an infantry.
// It compares the sides by the worth of their stacks where they stand (weights.go,
// tally.go) and by the safety of their commanders. In an open session it evaluates the
// board as it stands.
//
// Scores belong to the version of every player that searches: a change here changes
// datasets.
func (p *Position) Evaluate() int {
	if !p.tally.known {
		p.startTally()
	}
	return p.evaluate(p.tally.strength(0), p.tally.strength(1), &standardWeights)
}

// evaluateWith is Evaluate with other weights and without the tally.
func (p *Position) evaluateWith(w *weights) int {
	return p.evaluate(p.sumSide(0, w).strength(), p.sumSide(1, w).strength(), w)
}

// evaluate returns the score from the strengths of red and blue.
func (p *Position) evaluate(red, blue strength, w *weights) int {
	safety := [2]int{p.commanderSafety(0, w, blue.airForces), p.commanderSafety(1, w, red.airForces)}
	return w.score(p.turn&1, [2]strength{red, blue}, safety, p.commanderAttack(p.turn&1) != noAttack)
}

// score returns the score for side us from the strengths of both sides and the penalties
// of their commanders. checked says that the commander of side us is attacked.
func (w *weights) score(us uint8, sides [2]strength, safety [2]int, checked bool) int {
	own, enemy := &sides[us&1], &sides[us&1^1]
	mid, late := own.mid-enemy.mid, own.late-enemy.late
	mid += safety[us&1] - safety[us&1^1]
	left := min(own.material+enemy.material, startMaterial)
	s := late + (mid-late)*left/startMaterial + w.tempo
	if checked {
		s -= w.check
	}
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// commanderSafety returns the penalty for an endangered commander, 0 or less: for
// enemies near it, enemies that have it in range even if blocked, and missing air
// defense. A bonus for own stacks around it was tested and gained nothing.
func (p *Position) commanderSafety(side uint8, w *weights, enemyAirForces int) int {
	sq := p.sides[side&1].commander
	if sq == noSquare {
		return 0
	}
	them := &p.occ[side&1^1]
	r := CommanderRisk{
		Near:         shared(&nearSquares[sq], them),
		NoAirDefense: enemyAirForces > 0 && p.zones[side&1][sq] == 0,
	}
	kind, near := p.targetKind(sq), &attackRange[sq]
	for i := range 3 {
		for set := near[i] & them[i]; set != 0; set &= set - 1 {
			from := uint8(i<<6 | bits.TrailingZeros64(set))
			if attackSlots[kind][p.cells[from]&511][relations[from-sq].index()] != 0 {
				r.InRange++
			}
		}
	}
	return w.safety(r)
}

// safety returns the penalty for a commander, 0 or less.
func (w *weights) safety(r CommanderRisk) int {
	s := -w.near*r.Near - w.inRange*r.InRange
	if r.NoAirDefense {
		s -= w.noAirDefense
	}
	return s
}

// nearRadius is the distance of enemies that weights.near counts, in king's moves.
const nearRadius = 3

// nearSquares holds the squares within nearRadius of each square.
var nearSquares = func() (table [256]squareSet) {
	distance := func(x, y int) int { return max(x-y, y-x) }
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			s, t := Square(a), Square(b)
			if max(distance(s.File(), t.File()), distance(s.Rank(), t.Rank())) <= nearRadius {
				table[a].set(b)
			}
		}
	}
	return table
}()
