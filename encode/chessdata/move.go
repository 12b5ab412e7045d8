package chessdata

import (
	"fmt"

	"selfplay/engine/chess"
)

// Kind is what a move does besides going from one cell to another. Formats store it, so that
// their readers need no rules.
type Kind uint8

// The kinds of moves.
const (
	Normal Kind = iota // a capture, too
	EnPassant
	Castling
	Promotion
)

// Move is a move of a position.
type Move struct {
	chess.Step
	Kind Kind
}

// MoveOf returns the legal move of a step on a board with these cells.
func MoveOf(cells []uint8, s chess.Step) Move {
	m := Move{Step: s}
	switch code := cells[s.From]; {
	case s.Promotion != 0:
		m.Kind = Promotion
	case (code == whitePawn || code == blackPawn) && (s.From-s.To)%8 != 0 && cells[s.To] == 0:
		m.Kind = EnPassant
	case (code == whiteKing || code == blackKing) && (s.To == s.From+2 || s.From == s.To+2):
		m.Kind = Castling
	}
	return m
}

// Cells of castling, by wing: the king's and the queen's. Those of black are in the first row.
const (
	kingHome  = 60 // e1; e8 is 4
	whiteHome = 56 // a1: the offset of white's cells
)

// rookCell returns the cell of the rook with which a king on its home cell castles.
func (m *Move) rookCell() uint8 {
	if m.To > m.From {
		return m.From + 3
	}
	return m.From - 4
}

// kingStep returns the step of the king that castles with the rook on a cell.
func kingStep(from, rook uint8) (chess.Step, error) {
	if from != kingHome && from != kingHome-whiteHome || rook != from+3 && rook != from-4 {
		return chess.Step{}, fmt.Errorf("castling of cells %d and %d: want standard chess", from, rook)
	}
	if rook > from {
		return chess.Step{From: from, To: from + 2}, nil
	}
	return chess.Step{From: from, To: from - 2}, nil
}

// decodeMove returns the move of a number of viriformat or binpack, taken apart: castling goes to
// the cell of the rook, and the promotion piece counts from the knight.
func decodeMove(number uint16, kind Kind, from, to, promotion uint8) (Move, error) {
	m := Move{Step: chess.Step{From: from, To: to}, Kind: kind}
	switch {
	case from == to:
		return Move{}, fmt.Errorf("number %d stays on its cell", number)
	case kind == Promotion:
		m.Promotion = promotion + 2
	case promotion != 0:
		return Move{}, fmt.Errorf("number %d has a promotion piece, but is no promotion", number)
	case kind == Castling:
		step, err := kingStep(from, to)
		if err != nil {
			return Move{}, err
		}
		m.Step = step
	}
	return m, nil
}
