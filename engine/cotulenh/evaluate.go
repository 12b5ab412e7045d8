package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move, in centi-units.
// It compares the sides by the worth of their stacks where they stand (weights.go) and by
// the safety of their commanders. In an open session it evaluates the board as it stands.
//
// Scores belong to the version of every player that searches: a change here changes
// datasets.
func (p *Position) Evaluate() int {
	if !p.tally.known {
		p.tally.Start(p.At)
	}
	risks := [2]CommanderRisk{p.commanderRisk(0, p.tally.AirForces(1)), p.commanderRisk(1, p.tally.AirForces(0))}
	return p.tally.Score(p.Turn(), &risks, p.commanderAttack(p.turn&1) != noAttack)
}

// Score returns the static score for a side to move. checked says that its commander is
// attacked.
func (t *Tally) Score(turn engine.Side, risks *[2]CommanderRisk, checked bool) int {
	return standardWeights.score(uint8(turn), &[2]strength{t.strength(0), t.strength(1)}, risks, checked)
}

// score returns the score for side us from the strengths of both sides and the risks of
// their commanders.
func (w *weights) score(us uint8, sides *[2]strength, risks *[2]CommanderRisk, checked bool) int {
	own, enemy := &sides[us&1], &sides[us&1^1]
	safety, enemySafety := w.safety(&risks[us&1]), w.safety(&risks[us&1^1])
	mid := own.mid - enemy.mid + safety.mid - enemySafety.mid
	late := own.late - enemy.late + safety.late - enemySafety.late
	left := min(own.material+enemy.material, startMaterial)
	s := late + (mid-late)*left/startMaterial + w.tempo
	if checked {
		s -= w.check
	}
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// CommanderRisk is what the static score counts around a commander. A bonus for own stacks
// around it was tested and gained nothing.
//
// Pressure leads a side that is ahead towards mate, which a search of few turns does not
// see: without pressure two of three games at depth 2 end by the half-move clock.
type CommanderRisk struct {
	Near         int  // enemy stacks within NearRadius
	Pressure     int  // of enemy stacks, the squares that they are closer than PressureRadius
	InRange      int  // enemy stacks that attack it, or would if nothing stood between
	NoAirDefense bool // no own air defense covers it, and the enemy has air forces
}

// safety returns the penalty for a commander, 0 or less.
func (w *weights) safety(r *CommanderRisk) phased {
	s := phased{-w.pressure.mid*r.Pressure - w.near*r.Near - w.inRange*r.InRange, -w.pressure.late * r.Pressure}
	if r.NoAirDefense {
		s.mid -= w.noAirDefense
	}
	return s
}

// commanderRisk returns what endangers the commander of a side.
func (p *Position) commanderRisk(side uint8, enemyAirForces int) (r CommanderRisk) {
	sq := p.sides[side&1].commander
	if sq == NoSquare {
		return r
	}
	return p.riskAt(side, sq, targetKind(p.cells[sq]), enemyAirForces)
}

// riskAt is commanderRisk for a commander on any square, as a target of a kind.
func (p *Position) riskAt(side, sq uint8, kind, enemyAirForces int) (r CommanderRisk) {
	them := &p.occ[side&1^1]
	r.Near = shared(&nearSquares[sq], them)
	r.Pressure = pressureOn(sq, them)
	r.NoAirDefense = enemyAirForces > 0 && p.zones[side&1][sq] == 0
	near := &attackRange[sq]
	for i := range 3 {
		for set := near[i] & them[i]; set != 0; set &= set - 1 {
			from := uint8(i<<6 | bits.TrailingZeros64(set))
			if attackSlots[kind][p.cells[from]&511][relations[from-sq].index()] != 0 {
				r.InRange++
			}
		}
	}
	return r
}

// distance returns the number of king's moves between two squares.
func distance(a, b Square) int {
	gap := func(x, y int) int { return max(x-y, y-x) }
	return max(gap(a.File(), b.File()), gap(a.Rank(), b.Rank()))
}

// NearRadius is the distance of enemies that weights.near counts, in king's moves.
const NearRadius = 3

// nearSquares holds the squares within NearRadius of each square.
var nearSquares = func() (table [256]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			if distance(Square(a), Square(b)) <= NearRadius {
				table[a].set(b)
			}
		}
	}
	return table
}()

// PressureRadius is the distance from which on enemies exert no pressure, in king's moves:
// one more than pressureSquares can count.
const PressureRadius = 1 << pressureBits

const pressureBits = 3

// pressureSquares holds for each square the squares by the bits of how much closer than
// PressureRadius they are.
var pressureSquares = func() (table [256][pressureBits]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			closer := max(PressureRadius-distance(Square(a), Square(b)), 0)
			for bit := range table[a] {
				if closer>>bit&1 == 1 {
					table[a][bit].set(b)
				}
			}
		}
	}
	return table
}()

// pressureOn adds up how much closer than PressureRadius the squares of a set are.
func pressureOn(sq uint8, set *squareSet) int {
	near := &pressureSquares[sq]
	return shared(&near[0], set) + 2*shared(&near[1], set) + 4*shared(&near[2], set)
}
