package cotulenh

import (
	"strings"

	"selfplay/engine"
)

// The names in this file exist for package bitboard, the second engine of the game. Both
// engines must agree on the bits of a step, on keys, texts, terrain and scores, so they
// share them.

// Bits of a step, see move.go.
const (
	ToShift     = toShift
	MoverShift  = moverShift
	EffectShift = effectShift
	Commit      = commit
)

// Movers of a step, see move.go.
const (
	Whole     = whole
	WholeStay = wholeStay
	Deploy    = deploy
)

// Effects of a step.
const (
	Normal  = uint8(normal)
	Capture = uint8(capture)
	Stay    = uint8(stay)
	Suicide = uint8(suicide)
	Join    = uint8(join)
)

// Limits and draws that results depend on.
const (
	NoSquare        Square = noSquare
	Unlimited              = unlimited
	MaxClock               = maxClock
	DrawClock              = drawClock
	RejectionBudget        = rejectionBudget
	IllegalCost            = illegalCost
	TieLimit               = tieLimit
	TieDivisor             = tieDivisor
)

// Directions returns the offsets of the eight directions: N E S W, then NW NE SE SW.
func Directions() [8]int { return directions }

// Range returns how far a piece moves and captures on an empty board, and whether it goes
// in all eight directions.
func Range(t Type, heroic bool) (move, capture int, diagonal bool) {
	r := reachOf(t, heroic)
	return r.move, r.capture, r.diagonal
}

// TerrainBlocks reports whether terrain stops a lead that started on from and would enter
// to in direction dir. The rest of that ray is blocked too.
func TerrainBlocks(lead Type, from, to Square, dir int) bool {
	return terrainBlocks(lead, from, to, dir)
}

// CellKey returns the Zobrist key of a stack on a square, 0 for Empty.
func CellKey(s Stack, sq Square) uint64 { return cellKey(s, uint8(sq)) }

// SideKey returns the Zobrist key of blue to move.
func SideKey() uint64 { return sideKey }

// SessionKey returns the Zobrist key of an open session, 0 if none is open.
func SessionKey(origin Square, rest uint8, landed [2]uint8) uint64 {
	s := session{uint8(origin), rest, landed}
	return s.key()
}

// FormatStep writes a step that leaves from a square with the given stack.
func FormatStep(m engine.Move, from Stack) string {
	if m == commit {
		return commitText
	}
	mark := ""
	if mover := moverOf(m); mover >= deploy {
		from, mark = kept[from&511][1<<(mover-deploy)&7], ">"
	}
	return strings.ToUpper(from.String()) + Square(fromOf(m)).String() + mark + effectMarks[effectOf(m)] + Square(toOf(m)).String()
}

// Parts returns the position as numbers.
func (p *Position) Parts() Parts {
	a := Parts{Turn: p.Turn(), HalfMove: uint16(p.half), FullMove: uint16(p.full), Origin: -1, Landed: [2]int{-1, -1}}
	for cell, sq := range boardSquares {
		a.Cells[cell] = p.cells[sq]
	}
	if p.session.open() {
		a.Origin, a.Rest = Square(p.session.origin).Cell(), p.session.rest
		list, n := p.Landed()
		for i := range n {
			a.Landed[i] = list[i].Cell()
		}
	}
	return a
}

// String returns the canonical text of the position that the parts describe. It does not
// check them.
func (a *Parts) String() string {
	p := Position{turn: uint8(a.Turn), half: uint32(a.HalfMove), full: uint32(a.FullMove), session: noSession}
	for cell, sq := range boardSquares {
		p.cells[sq] = a.Cells[cell]
	}
	if a.Origin >= 0 {
		p.session.origin, p.session.rest = uint8(SquareOfCell(a.Origin)), a.Rest
		for i, cell := range a.Landed {
			if cell >= 0 {
				p.session.landed[i] = uint8(SquareOfCell(cell))
			}
		}
	}
	return p.String()
}

// Attacked reports whether a side's commander is attacked or missing, without what is known
// of it from earlier positions. It measures the attack test.
func (p *Position) Attacked(side engine.Side) bool {
	p.sides[side&1].attacked = attackUnknown
	return p.commanderAttack(uint8(side)) != noAttack
}

// Tally holds the sums of the static score for both sides. Once Start was called, every
// change of a cell must be reported.
type Tally = tally

// Known reports whether the tally was started.
func (t *tally) Known() bool { return t.known }

// Start adds up a board from its squares.
func (t *tally) Start(at func(Square) Stack) {
	*t = tally{known: true}
	for _, sq := range boardSquares {
		t.Replace(Square(sq), Empty, at(Square(sq)))
	}
}

// Replace updates the sums after the content of a square changed.
func (t *tally) Replace(sq Square, old, new Stack) {
	t.replace(uint8(sq), &infos[old&511], &infos[new&511], old, new)
}

// Move updates the sums after a stack moved to an empty square.
func (t *tally) Move(s Stack, from, to Square) { t.move(infos[s&511].side, s, uint8(from), uint8(to)) }

// AirForces returns the number of a side's air forces that air defense can stop.
func (t *tally) AirForces(side engine.Side) int { return t.strength(uint8(side)).airForces }

// CommanderRisk is what the static score counts around a commander.
type CommanderRisk struct {
	Near         int  // enemy stacks within nearRadius
	Pressure     int  // of enemy stacks, the squares that they are closer than pressureRadius
	InRange      int  // enemy stacks that attack it, or would if nothing stood between
	NoAirDefense bool // no own air defense covers it, and the enemy has air forces
}

// Score returns the static score for a side to move. checked says that its commander is
// attacked.
func (t *tally) Score(turn engine.Side, risks [2]CommanderRisk, checked bool) int {
	w := &standardWeights
	return w.score(uint8(turn), [2]strength{t.strength(0), t.strength(1)}, [2]phased{w.safety(risks[0]), w.safety(risks[1])}, checked)
}

// NearRadius is the distance of enemies that CommanderRisk.Near counts, in king's moves.
const NearRadius = nearRadius

// PressureRadius is the distance of enemies from which on CommanderRisk.Pressure does not
// count them, in king's moves. Enemies closer by n squares count n.
const PressureRadius = pressureRadius

// Price returns the price of a stack in hundredths of an infantry.
func Price(s Stack) int { return int(stackPrices[s&511]) }

// PlacementOf is Placement for a step that leaves from a square with the given stack.
func PlacementOf(m engine.Move, from Stack) int {
	if m == commit || effectOf(m) == stay || effectOf(m) == suicide {
		return 0
	}
	moved := from & 511
	if mover := moverOf(m); mover >= deploy {
		moved = kept[moved][1<<(mover-deploy)&7]
	}
	worth := &standardWeights.worth[moved&511]
	return int(int16(worth[toOf(m)])) - int(int16(worth[fromOf(m)]))
}
