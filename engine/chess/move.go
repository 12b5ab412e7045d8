package chess

import (
	"fmt"
	"strings"

	"selfplay/engine"
)

// A move contains everything that Do and Undo need, so neither reads the board:
// squares of 7 bits, piece codes of 5, the special kind of the move, and the kind of
// piece that a pawn becomes. The piece lies directly above its target square, so that
// both together index a hash key.
//
//	0  from      14  piece     24  special
//	7  to        19  taken     27  promotion
const (
	toShift        = 7
	pieceShift     = 14
	takenShift     = 19
	specialShift   = 24
	promotionShift = 27

	// Special kinds. All other moves move one piece to one square, with or without a
	// capture.
	double    engine.Move = 1 << specialShift // double step to a cell beside an enemy pawn
	castle    engine.Move = 2 << specialShift // king's part of castling
	passant   engine.Move = 3 << specialShift // en passant capture
	promotion engine.Move = 4 << specialShift

	specialBits engine.Move = 7 << specialShift
)

// fromPart returns the bits of a moving piece and its square.
func fromPart(piece, from uint8) engine.Move {
	return engine.Move(piece)<<pieceShift | engine.Move(from)
}

// toPart returns the bits of a target square and what stands there.
func toPart(taken, to uint8) engine.Move {
	return engine.Move(taken)<<takenShift | engine.Move(to)<<toShift
}

// newMove returns the move of the piece on a square to another.
func (p *Position) newMove(from, to uint8) engine.Move {
	return fromPart(p.board[from], from) | toPart(p.board[to], to)
}

func fromOf(m engine.Move) uint8  { return uint8(m & 127) }
func toOf(m engine.Move) uint8    { return uint8(m >> toShift & 127) }
func pieceOf(m engine.Move) uint8 { return uint8(m >> pieceShift & 31) }
func takenOf(m engine.Move) uint8 { return uint8(m >> takenShift & 31) }

// promotionOf returns the kind that a pawn becomes, 0 for no promotion.
func promotionOf(m engine.Move) uint8 { return uint8(m>>promotionShift) & kindBits }

// kindLetters are the UCI letters by kind of piece.
const kindLetters = "?pnbrqk"

// FormatMove returns a legal move in UCI notation: e2e4, e1g1, e7e8q.
func (p *Position) FormatMove(m engine.Move) string {
	text := cellName(cellOf(fromOf(m))) + cellName(cellOf(toOf(m)))
	if kind := promotionOf(m); kind != 0 {
		text += kindLetters[kind : kind+1]
	}
	return text
}

// ParseMove parses a legal move in UCI notation.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	if len(text) != 4 && len(text) != 5 {
		return 0, fmt.Errorf("parse move %q: want two squares and an optional promotion, such as e2e4 or e7e8q", text)
	}
	from, errFrom := parseCell(text[:2])
	to, errTo := parseCell(text[2:4])
	kind := 0
	if len(text) == 5 {
		kind = strings.IndexByte(kindLetters, text[4])
	}
	if errFrom == nil && errTo == nil && kind >= 0 && (len(text) == 4 || kind > 0) {
		if m, ok := p.pack(Step{uint8(from), uint8(to), uint8(kind)}); ok {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: not a legal move here", text)
}
