package cotulenh

import (
	"strings"

	"selfplay/engine"
)

// The names in this file exist for package bitboard, the second engine of the game. Both
// engines must agree on the bits of a step, on keys, texts, terrain and scores, so they
// share them.

// Directions returns the offsets of the eight directions: N E S W, then NW NE SE SW.
func Directions() [8]int { return directions }

// Range returns how far a piece moves and captures on an empty board, and whether it goes
// in all eight directions.
func Range(t Type, heroic bool) (move, capture int, diagonal bool) {
	r := reachOf(t, heroic)
	return r.move, r.capture, r.diagonal
}

// SideKey returns the Zobrist key of blue to move.
func SideKey() uint64 { return sideKey }

// SessionKey returns the Zobrist key of an open session, 0 if none is open.
func SessionKey(origin Square, rest uint8, landed [2]uint8) uint64 {
	s := session{uint8(origin), rest, landed}
	return s.key()
}

// FormatStep writes a step that leaves from a square with the given stack.
func FormatStep(m engine.Move, from Stack) string {
	if m == Commit {
		return commitText
	}
	mark := ""
	if mover := moverOf(m); mover >= Deploy {
		from, mark = kept[from&511][1<<(mover-Deploy)&7], ">"
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

// Price returns the price of a stack in hundredths of an infantry.
func Price(s Stack) int { return int(stackPrices[s&511]) }

// PlacementOf is Placement for a step that leaves from a square with the given stack.
func PlacementOf(m engine.Move, from Stack) int {
	if m == Commit || effectOf(m) == Stay || effectOf(m) == Suicide {
		return 0
	}
	moved := from & 511
	if mover := moverOf(m); mover >= Deploy {
		moved = kept[moved][1<<(mover-Deploy)&7]
	}
	worth := &standardWeights.worth[moved&511]
	return int(int16(worth[toOf(m)])) - int(int16(worth[fromOf(m)]))
}
