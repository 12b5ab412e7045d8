package chess

import (
	"fmt"
	"math/bits"
	"strings"

	"selfplay/engine"
)

// This file says why a move is not legal. It asks in the order of engine.Why and makes no lists:
// tests compare it with move generation for every wish.

var _ engine.Arbiter = (*Position)(nil)

// Wish returns a legal move as a wish. The wish of a promotion leaves the new piece open.
func (p *Position) Wish(m engine.Move) engine.Wish {
	w := engine.Wish{From: cellName(cellOf(fromOf(m))), To: cellName(cellOf(toOf(m))), Way: engine.Quiet}
	special := m & specialBits
	switch {
	case special == castle:
		w.Way = engine.Castle
	case special == passant || takenOf(m) != empty:
		w.Way = engine.Capture
	}
	return w
}

// attempt is a wish whose cells and piece exist here.
type attempt struct {
	*Position
	us       uint8
	from, to int
	kind     uint8
	way      engine.Way
	passant  bool // captures en passant
}

// Obstacle returns why no legal move fulfils a wish.
func (p *Position) Obstacle(w engine.Wish) engine.Obstacle {
	a, missing := p.attempt(w)
	if missing.Why != engine.NoObstacle {
		return missing
	}
	if a.castles() {
		return a.castlingObstacle()
	}
	for _, ask := range [...]func(*attempt) engine.Obstacle{
		(*attempt).outOfRange, (*attempt).wrongTarget, (*attempt).blocked, (*attempt).danger,
	} {
		o := ask(a)
		if o.Why != engine.NoObstacle {
			return o
		}
	}
	return engine.Obstacle{}
}

// noCell is the cell of obstacles that have none.
const noCell = -1

func obstacle(why engine.Why, at int, format string, args ...any) engine.Obstacle {
	name := ""
	if at != noCell {
		name = cellName(at)
	}
	return engine.NewObstacle(why, name, format, args...)
}

var kindNames = [...]string{pawn: "pawn", knight: "knight", bishop: "bishop", rook: "rook", queen: "queen", king: "king"}

// pieceOn describes the piece on a cell: black's rook on e8.
func (p *Position) pieceOn(cell int) string {
	piece := p.board[squareOf(cell)]
	return fmt.Sprintf("%s's %s on %s", sideNames[sideOf(piece)], kindNames[piece&kindBits], cellName(cell))
}

// attempt finds the cells and the piece of a wish.
func (p *Position) attempt(w engine.Wish) (*attempt, engine.Obstacle) {
	from, errFrom := parseCell(w.From)
	to, errTo := parseCell(w.To)
	if errFrom != nil || errTo != nil {
		return nil, obstacle(engine.NoPiece, noCell, "A move goes from a cell of the board to another one.")
	}
	us := p.turn()
	a := &attempt{Position: p, us: us, from: from, to: to, kind: p.board[squareOf(from)] & kindBits, way: w.Way}
	cell, capturable := p.passantCell()
	a.passant = capturable && a.kind == pawn && cell == to && pawnReach[us][from]>>to&1 != 0
	letter := strings.ToUpper(kindLetters[a.kind : a.kind+1])
	switch {
	case a.kind == empty:
		return nil, obstacle(engine.NoPiece, from, "Nothing stands on %s.", w.From)
	case p.sides[us]>>from&1 == 0:
		return nil, obstacle(engine.NoPiece, from, "%s is to move, and %s holds a piece of %s.", sideNames[us], w.From, sideNames[us^1])
	case w.Piece != "" && w.Piece != letter:
		return nil, obstacle(engine.NoPiece, from, "%s holds a %s.", w.From, kindNames[a.kind])
	}
	return a, engine.Obstacle{}
}

// takes reports whether the target holds, or is passed by, a piece of the other side.
func (a *attempt) takes() bool { return a.passant || a.sides[a.us^1]>>a.to&1 != 0 }

// castles reports whether a wish can only mean castling: the king goes two cells from its home
// cell, in Chess960 to a rook of its own.
func (a *attempt) castles() bool {
	if a.kind != king || a.way != engine.AnyWay && a.way != engine.Castle {
		return false
	}
	home := 56 - 56*int(a.us)
	if a.chess960 {
		return a.from&^7 == home && a.to&^7 == home && a.board[squareOf(a.to)] == colourOf(a.us)|rook
	}
	return a.from == home+4 && (a.to == home+2 || a.to == home+6)
}

// castlingObstacle says why the king may not castle.
func (a *attempt) castlingObstacle() engine.Obstacle {
	wing := queenSide
	if a.to > a.from {
		wing = kingSide
	}
	c := &a.Position.castles.wings[a.us][wing]
	if a.state&c.right == 0 || cellOf(toOf(c.move)) != a.to {
		return obstacle(engine.OfCastling, a.to, "The king or that rook has moved, so they may not castle.")
	}
	them, occupied := a.sides[a.us^1], a.occupied()
	taken := occupied & c.free
	if taken != 0 {
		return obstacle(engine.InTheWay, firstCell(taken), "%s is in the way of castling.", a.pieceOn(firstCell(taken)))
	}
	from := a.attacker(a.from, them, occupied)
	if from != noCell {
		return obstacle(engine.OfCastling, from, "A king in check may not castle, and %s attacks it.", a.pieceOn(from))
	}
	for left := c.safe; left != 0; left &= left - 1 {
		from = a.attacker(firstCell(left), them, occupied&^c.rookCell)
		if from != noCell {
			return obstacle(engine.OfCastling, from, "The king may not castle over %s, which %s attacks.", cellName(firstCell(left)), a.pieceOn(from))
		}
	}
	return engine.Obstacle{}
}

// attacker returns a cell from which the other side attacks one, given its pieces and all
// occupied cells, or noCell.
func (a *attempt) attacker(cell int, pieces, occupied uint64) int {
	near := (knightReach[cell]&a.kinds[knight] | kingReach[cell]&a.kinds[king] | pawnReach[a.us][cell]&a.kinds[pawn]) & pieces
	if near != 0 {
		return firstCell(near)
	}
	for set := a.snipers(cell) & pieces; set != 0; set &= set - 1 {
		if between[cell][firstCell(set)]&occupied == 0 {
			return firstCell(set)
		}
	}
	return noCell
}

// reaches says how pieces go.
var reaches = [...]string{
	pawn:   "goes one cell forward and captures one cell diagonally forward",
	knight: "goes two cells straight and one aside",
	bishop: "goes along diagonals",
	rook:   "goes along ranks and files",
	queen:  "goes along ranks, files and diagonals",
	king:   "goes one cell",
}

// outOfRange asks for geometry and range.
func (a *attempt) outOfRange() engine.Obstacle {
	var reach uint64
	switch a.kind {
	case pawn:
		return a.pawnOutOfRange()
	case knight:
		reach = knightReach[a.from]
	case king:
		reach = kingReach[a.from]
	default:
		reach = sliderReach[a.kind][a.from]
	}
	if reach>>a.to&1 == 0 {
		return obstacle(engine.Range, a.to, "The %s %s.", kindNames[a.kind], reaches[a.kind])
	}
	return engine.Obstacle{}
}

func (a *attempt) pawnOutOfRange() engine.Obstacle {
	ahead := advances[a.us]
	straight := a.way != engine.Capture
	switch {
	case pawnReach[a.us][a.from]>>a.to&1 != 0, straight && a.to == a.from+ahead.cells:
		return engine.Obstacle{}
	case !straight || a.to != a.from+2*ahead.cells:
		return obstacle(engine.Range, a.to, "The pawn %s.", reaches[pawn])
	case ahead.home>>a.from&1 == 0:
		return obstacle(engine.Range, a.to, "The pawn goes two cells from its first row only.")
	}
	return engine.Obstacle{}
}

// wrongTarget asks whether the way fits what stands on the target.
func (a *attempt) wrongTarget() engine.Obstacle {
	isEmpty, aside := a.occupied()>>a.to&1 == 0, a.kind == pawn && a.to&7 != a.from&7
	wrong := func(format string, args ...any) engine.Obstacle {
		return obstacle(engine.Target, a.to, format, args...)
	}
	switch {
	case a.way == engine.Capture && !a.takes():
		return wrong("No piece of %s stands on %s.", sideNames[a.us^1], cellName(a.to))
	case a.way == engine.Quiet && !isEmpty:
		return wrong("%s is not empty.", cellName(a.to))
	case aside && isEmpty && (!a.passant || a.way == engine.Quiet):
		return wrong("The pawn goes diagonally only to capture, and nothing stands on %s.", cellName(a.to))
	case a.way != engine.AnyWay && a.way != engine.Quiet && a.way != engine.Capture:
		return wrong("The %s cannot do that.", kindNames[a.kind])
	}
	return engine.Obstacle{}
}

// blocked asks for pieces on the way, and for one on the target that cannot be taken.
func (a *attempt) blocked() engine.Obstacle {
	stop := a.sides[a.us] & (1 << a.to)
	if a.kind == pawn && a.to&7 == a.from&7 {
		stop = a.occupied() & (1 << a.to)
	}
	onWay := between[a.from][a.to] & a.occupied()
	if onWay != 0 {
		stop = onWay
	}
	if stop == 0 {
		return engine.Obstacle{}
	}
	on := firstCell(stop)
	if a.to < a.from { // the first one on the way
		on = 63 - bits.LeadingZeros64(stop)
	}
	return obstacle(engine.InTheWay, on, "%s is in the way of the %s.", a.pieceOn(on), kindNames[a.kind])
}

// danger asks whether the own king is attacked after the move.
func (a *attempt) danger() engine.Obstacle {
	target := uint64(1) << a.to
	pieces, cell := a.sides[a.us^1]&^target, a.kingCell(a.us)
	occupied := a.occupied()&^(1<<a.from) | target
	if a.passant {
		victim := uint64(1) << (a.to - advances[a.us].cells)
		pieces, occupied = pieces&^victim, occupied&^victim
	}
	if a.kind == king {
		cell = a.to
	}
	from := a.attacker(cell, pieces, occupied)
	switch {
	case from == noCell:
		return engine.Obstacle{}
	case a.Check():
		return obstacle(engine.StaysAttacked, from, "%s would still attack the king on %s.", a.pieceOn(from), cellName(cell))
	}
	return obstacle(engine.Attacked, from, "%s would attack the king on %s.", a.pieceOn(from), cellName(cell))
}
