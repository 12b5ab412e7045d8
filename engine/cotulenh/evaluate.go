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
	safety := [2]phased{p.commanderSafety(0, w, blue.airForces), p.commanderSafety(1, w, red.airForces)}
	return w.score(p.turn&1, [2]strength{red, blue}, safety, p.commanderAttack(p.turn&1) != noAttack)
}

// score returns the score for side us from the strengths of both sides and the penalties
// of their commanders. checked says that the commander of side us is attacked.
func (w *weights) score(us uint8, sides [2]strength, safety [2]phased, checked bool) int {
	own, enemy := &sides[us&1], &sides[us&1^1]
	mid, late := own.mid-enemy.mid, own.late-enemy.late
	mid += safety[us&1].mid - safety[us&1^1].mid
	late += safety[us&1].late - safety[us&1^1].late
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
//
// Pressure is what leads a side that is ahead towards mate: a search of few turns does not
// see it, and without pressure two of three games at depth 2 end by the half-move clock.
func (p *Position) commanderSafety(side uint8, w *weights, enemyAirForces int) phased {
	sq := p.sides[side&1].commander
	if sq == noSquare {
		return phased{}
	}
	them := &p.occ[side&1^1]
	r := CommanderRisk{
		Near:         shared(&nearSquares[sq], them),
		Pressure:     pressureOn(sq, them),
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
func (w *weights) safety(r CommanderRisk) phased {
	s := phased{-w.pressure.mid*r.Pressure - w.near*r.Near - w.inRange*r.InRange, -w.pressure.late * r.Pressure}
	if r.NoAirDefense {
		s.mid -= w.noAirDefense
	}
	return s
}

// distance returns the number of king's moves between two squares.
func distance(a, b Square) int {
	gap := func(x, y int) int { return max(x-y, y-x) }
	return max(gap(a.File(), b.File()), gap(a.Rank(), b.Rank()))
}

// nearRadius is the distance of enemies that weights.near counts, in king's moves.
const nearRadius = 3

// nearSquares holds the squares within nearRadius of each square.
var nearSquares = func() (table [256]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			if distance(Square(a), Square(b)) <= nearRadius {
				table[a].set(b)
			}
		}
	}
	return table
}()

// pressureRadius is the distance from which on enemies exert no pressure, in king's moves:
// one more than pressureSquares can count.
const pressureRadius = 1 << pressureBits

const pressureBits = 3

// pressureSquares holds for each square the squares by the bits of how much closer than
// pressureRadius they are.
var pressureSquares = func() (table [256][pressureBits]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			closer := max(pressureRadius-distance(Square(a), Square(b)), 0)
			for bit := range table[a] {
				if closer>>bit&1 == 1 {
					table[a][bit].set(b)
				}
			}
		}
	}
	return table
}()

// pressureOn adds up how much closer than pressureRadius the squares of a set are.
func pressureOn(sq uint8, set *squareSet) int {
	near := &pressureSquares[sq]
	return shared(&near[0], set) + 2*shared(&near[1], set) + 4*shared(&near[2], set)
}
