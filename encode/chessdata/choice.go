package chessdata

import (
	"fmt"
	"math"
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// choices are the moves of a piece in the order in which movetext of binpack numbers them: by
// square, a promotion to knight, bishop, rook and queen at each; castling comes last, the
// queen's wing first. They are moves by the way the piece moves, whether or not the king is
// safe. Rights to castle count, whether or not there is room.
type choices struct {
	kind     uint8
	targets  uint64
	promotes bool   // each target is four moves
	wings    []Move // of castling
	n        int
}

// promotions is the number of pieces that a pawn promotes to.
const promotions = 4

// choicesOf returns the choices of the piece on a square; none if the side to move has no piece
// there.
func choicesOf(p *chess.Parts, square uint8) (c choices) {
	code := p.Cells[square^flip]
	if code == 0 || sideOf(code) != p.Turn {
		return c
	}
	own, other := sideSets(p)
	c.kind = kindOf(code)
	switch c.kind {
	case pawnKind:
		c.targets = pawnTargets(p, square, own|other, other)
		c.promotes = square/8 == secondRank(p.Turn.Other())
	case kingKind:
		c.wings = wingsOf(p)
		fallthrough
	default:
		c.targets = attacks(c.kind, square, own|other) &^ own
	}
	c.n = bits.OnesCount64(c.targets)
	if c.promotes {
		c.n *= promotions
	}
	c.n += len(c.wings)
	return c
}

// secondRank returns the rank on which the pawns of a side begin, from 0.
func secondRank(side engine.Side) uint8 { return 1 + 5*uint8(side) }

func pawnTargets(p *chess.Parts, square uint8, all, other uint64) uint64 {
	if rank := square / 8; rank == 0 || rank == 7 {
		return 0
	}
	if p.EnPassant >= 0 {
		other |= 1 << (passantCell(p) ^ flip)
	}
	targets := pawnCaptures(square, p.Turn) & other
	forward, n := []step{{0, 1 - 2*int(p.Turn)}}, 1
	if square/8 == secondRank(p.Turn) {
		n = 2
	}
	return targets | reach(square, forward, n, all)&^all
}

// Castling of both sides, the queen's wing first; the second index is the wing.
var castlingMoves = [2][2]Move{
	{{Step: chess.Step{From: kingHome, To: kingHome - 2}, Kind: Castling}, {Step: chess.Step{From: kingHome, To: kingHome + 2}, Kind: Castling}},
	{{Step: chess.Step{From: 4, To: 2}, Kind: Castling}, {Step: chess.Step{From: 4, To: 6}, Kind: Castling}},
}

// wingsOf returns the castling moves for which the side to move has a right.
func wingsOf(p *chess.Parts) []Move {
	moves := castlingMoves[p.Turn][:]
	if !hasRight(p, &moves[0]) {
		moves = moves[1:]
	}
	if n := len(moves); !hasRight(p, &moves[n-1]) {
		moves = moves[:n-1]
	}
	return moves
}

func hasRight(p *chess.Parts, m *Move) bool { return p.Castling&castlingRight(int(m.rookCell())) != 0 }

// number returns the number of a move of the piece, -1 if it is none of the choices.
func (c *choices) number(p *chess.Parts, m *Move) int {
	square := m.To ^ flip
	at := below(c.targets, square)
	switch {
	case m.Kind == Castling:
		for i := range c.wings {
			if c.wings[i] == *m {
				return c.n - len(c.wings) + i
			}
		}
		return -1
	case *m != c.moveTo(p, m.From, square, m.Promotion), c.targets>>square&1 == 0:
		return -1
	case c.promotes:
		return at*promotions + int(m.Promotion) - knightKind
	}
	return at
}

// move returns the move of the piece on a cell with a number.
func (c *choices) move(p *chess.Parts, from uint8, number int) (Move, error) {
	plain := c.n - len(c.wings)
	switch {
	case number >= c.n:
		return Move{}, fmt.Errorf("move %d of a piece on cell %d, which has %d", number, from, c.n)
	case number >= plain:
		return c.wings[number-plain], nil
	case c.promotes:
		return c.moveTo(p, from, nth(c.targets, number/promotions), uint8(number%promotions)+knightKind), nil
	}
	return c.moveTo(p, from, nth(c.targets, number), 0), nil
}

// moveTo returns the move of the piece from a cell to a square.
func (c *choices) moveTo(p *chess.Parts, from, square, promotion uint8) Move {
	m := Move{Step: chess.Step{From: from, To: square ^ flip}}
	switch {
	case c.promotes:
		m.Kind, m.Promotion = Promotion, min(max(promotion, knightKind), queenKind)
	case c.kind == pawnKind && p.EnPassant >= 0 && int(m.To) == passantCell(p):
		m.Kind = EnPassant
	}
	return m
}

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

// Sets of squares have bit 0 for a1 and bit 63 for h8.

// Kinds of pieces: codes of white.
const (
	pawnKind   = 1
	knightKind = 2
	bishopKind = 3
	rookKind   = 4
	queenKind  = 5
	kingKind   = 6
)

// kindOf returns the kind of a code, which is not 0.
func kindOf(code uint8) uint8 { return (code-1)%perSide + 1 }

// first returns the first square of a set that is not empty.
func first(set uint64) uint8 { return uint8(bits.TrailingZeros64(set)) }

// nth returns square n of a set in ascending order. The set has more than n.
func nth(set uint64, n int) uint8 {
	for range n {
		set &= set - 1
	}
	return first(set)
}

// below returns the number of squares of a set that come before a square.
func below(set uint64, square uint8) int { return bits.OnesCount64(set & (1<<square - 1)) }

// setOf returns the squares of the pieces with a code.
func setOf(p *chess.Parts, code uint8) (set uint64) {
	for cell, c := range p.Cells {
		if c == code {
			set |= 1 << (cell ^ flip)
		}
	}
	return set
}

// sideSets returns the squares of the pieces of the side to move, and of the other side.
func sideSets(p *chess.Parts) (own, other uint64) {
	var sets [2]uint64
	for cell, code := range p.Cells {
		if code != 0 {
			sets[sideOf(code)] |= 1 << (cell ^ flip)
		}
	}
	return sets[p.Turn], sets[p.Turn.Other()]
}

// step is a number of files and ranks.
type step struct{ files, ranks int }

var (
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	queenSteps  = append(append([]step(nil), rookSteps...), bishopSteps...)
)

// reach returns the squares that a piece on a square reaches by up to n steps in each direction;
// the pieces on all stop it.
func reach(square uint8, steps []step, n int, all uint64) (set uint64) {
	for _, s := range steps {
		file, rank := int(square%8), int(square/8)
		for range n {
			file, rank = file+s.files, rank+s.ranks
			if uint(file) > 7 || uint(rank) > 7 {
				break
			}
			bit := uint64(1) << (8*rank + file)
			set |= bit
			if all&bit != 0 {
				break
			}
		}
	}
	return set
}

// attacks returns the squares that a piece other than a pawn attacks.
func attacks(kind, square uint8, all uint64) uint64 {
	switch kind {
	case knightKind:
		return reach(square, knightSteps, 1, all)
	case bishopKind:
		return reach(square, bishopSteps, 7, all)
	case rookKind:
		return reach(square, rookSteps, 7, all)
	case queenKind:
		return reach(square, queenSteps, 7, all)
	}
	return reach(square, queenSteps, 1, all)
}

var pawnSteps = [2][]step{{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}}

// pawnCaptures returns the squares that a pawn of a side attacks.
func pawnCaptures(square uint8, side engine.Side) uint64 { return reach(square, pawnSteps[side], 1, 0) }

// kingIsAttacked reports whether the other side attacks a king of a side.
func kingIsAttacked(p *chess.Parts, side engine.Side) bool {
	kings := setOf(p, whiteKing+uint8(side)*perSide)
	if kings == 0 {
		return false
	}
	own, other := sideSets(p)
	king, enemy := first(kings), uint8(side.Other())*perSide
	for kind := uint8(knightKind); kind <= kingKind; kind++ {
		if attacks(kind, king, own|other)&setOf(p, kind+enemy) != 0 {
			return true
		}
	}
	return pawnCaptures(king, side)&setOf(p, whitePawn+enemy) != 0
}
