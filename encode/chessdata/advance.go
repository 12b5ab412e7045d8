package chessdata

import (
	"math"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// next returns the position after the move of the row. ok is false if the move is none of its
// piece, or for the reasons of after.
func (r *Row) next() (next chess.Parts, ok bool) {
	p, m := &r.Position, &r.Move
	choices := choicesOf(p, m.From^flip)
	next, ok = after(p, m)
	return next, ok && choices.number(p, m) >= 0
}

// after returns the position after a move, for chains of binpack. ok is false if it captures a
// king, if castling has no room, and if a clock cannot count further. It does not check that the
// piece moves so, nor that the own king stays safe.
func after(p *chess.Parts, m *Move) (next chess.Parts, ok bool) {
	code, captured := p.Cells[m.From], p.Cells[m.To]
	ok = captured != whiteKing && captured != blackKing && (m.Kind != Castling || canCastle(p, m)) &&
		p.HalfMove < math.MaxUint8 && p.FullMove < math.MaxUint16
	next = *p
	moveCells(&next, m)
	pawn := code == whitePawn || code == blackPawn
	next.HalfMove++
	if pawn || captured != 0 {
		next.HalfMove = 0
	}
	next.Castling &^= rightsOf(m.From, code) | rightsOf(m.To, captured)
	next.FullMove += uint16(p.Turn)
	next.Turn = p.Turn.Other()
	next.EnPassant = -1
	if step := int(m.To) - int(m.From); pawn && max(step, -step) == 16 && passantIsLegal(&next, m.To) {
		next.EnPassant = int(m.To % 8)
	}
	return next, ok
}

// moveCells moves the pieces of a move.
func moveCells(p *chess.Parts, m *Move) {
	code := p.Cells[m.From]
	switch m.Kind {
	case Normal:
	case Promotion:
		code = m.Promotion + uint8(p.Turn)*perSide
	case EnPassant:
		p.Cells[passantPawn(p)] = 0
	case Castling:
		rook := m.rookCell()
		p.Cells[(m.From+m.To)/2], p.Cells[rook] = p.Cells[rook], 0
	}
	p.Cells[m.From], p.Cells[m.To] = 0, code
}

// canCastle reports whether king and rook are in place and have room.
func canCastle(p *chess.Parts, m *Move) bool {
	own := uint8(p.Turn) * perSide
	rook := m.rookCell()
	return p.Cells[m.From] == whiteKing+own && p.Cells[rook] == whiteRook+own && p.Castling&castlingRight(int(rook)) != 0 &&
		p.Cells[m.To] == 0 && p.Cells[(m.From+m.To)/2] == 0
}

// rightsOf returns the castling rights that are lost when a piece leaves a cell or is captured.
func rightsOf(cell, code uint8) uint8 {
	switch code {
	case whiteKing:
		return 3
	case blackKing:
		return 12
	case whiteRook:
		return castlingRight(int(cell)) & 3
	case blackRook:
		return castlingRight(int(cell)) & 12
	}
	return 0
}

// passantIsLegal reports whether the side to move may capture the pawn on a cell, which has just
// made a double step, en passant.
func passantIsLegal(p *chess.Parts, pawn uint8) bool {
	behind := pawn + 8
	if p.Turn == engine.First {
		behind = pawn - 8
	}
	own := uint8(p.Turn) * perSide
	takers := setOf(p, whitePawn+own) & pawnCaptures(behind^flip, p.Turn.Other())
	for ; takers != 0; takers &= takers - 1 {
		q := *p
		taker := first(takers) ^ flip
		q.Cells[taker], q.Cells[pawn], q.Cells[behind] = 0, 0, whitePawn+own
		if !kingIsAttacked(&q, p.Turn) {
			return true
		}
	}
	return false
}
