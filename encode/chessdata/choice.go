package chessdata

import (
	"fmt"
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
	switch c.kind = kindOf(code); c.kind {
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
