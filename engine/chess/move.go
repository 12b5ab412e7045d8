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
	castle    engine.Move = 2 << specialShift // king's part of castling; see castling.go
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

// FormatMove returns a legal move in UCI notation: e2e4, e7e8q, e1g1, in Chess960 e1h1.
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

// Step is a move without its position, for action numbers.
type Step struct {
	From, To  uint8 // cells, a8 = 0 to h1 = 63; for castling those of the king, in Chess960 those of king and rook
	Promotion uint8 // 0 for none, 2 knight, 3 bishop, 4 rook, 5 queen
}

// Unpack returns the step of a move.
func Unpack(m engine.Move) Step {
	return Step{uint8(cellOf(fromOf(m))), uint8(cellOf(toOf(m))), promotionOf(m)}
}

// Pack returns the legal move of a step. It returns an error if there is none.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if m, ok := p.pack(s); ok {
		return m, nil
	}
	return 0, stepError(s)
}

func stepError(s Step) error {
	if s.From > 63 || s.To > 63 {
		return fmt.Errorf("pack step: cells %d to %d: want 0 to 63", s.From, s.To)
	}
	return fmt.Errorf("pack step: %s to %s, promotion %d: not a legal move here",
		cellName(int(s.From)), cellName(int(s.To)), s.Promotion)
}

// pack is Pack without the error text.
func (p *Position) pack(s Step) (engine.Move, bool) {
	if s.From > 63 || s.To > 63 {
		return 0, false
	}
	us := p.turn()
	from, to := int(s.From), int(s.To)
	own, target := p.sides[us], uint64(1)<<to
	m := p.newMove(squareOf(from), squareOf(to))
	kind := p.board[squareOf(from)] & kindBits
	if own>>from&1 == 0 || own&target != 0 && kind != king || s.Promotion != 0 && kind != pawn {
		return 0, false
	}
	var reach uint64
	switch kind {
	case pawn:
		return p.packPawn(m, from, to, s.Promotion)
	case king:
		if kingReach[from]&target&^own != 0 {
			return m, !p.attacked(to, us^1, p.sides[us^1], p.occupied()&^(1<<from))
		}
		return p.packCastling(from, to)
	case knight:
		reach = knightReach[from]
	case bishop:
		reach = diagonals[from]
	case rook:
		reach = straights[from]
	case queen:
		reach = diagonals[from] | straights[from]
	}
	return m, reach&target != 0 && between[from][to]&p.occupied() == 0 && p.leavesKingSafe(from, to)
}

// packPawn is pack for a pawn of the side to move. No own piece stands on cell to.
func (p *Position) packPawn(m engine.Move, from, to int, kind uint8) (engine.Move, bool) {
	us := p.turn()
	target := uint64(1) << to
	if target&lastRanks != 0 {
		if kind < knight || kind > queen {
			return 0, false
		}
		m |= promotion | engine.Move(kind)<<promotionShift
	} else if kind != 0 {
		return 0, false
	}
	a := &advances[us&1]
	switch {
	case pawnReach[us&1][from]&target != 0:
		if e, ok := p.passantCell(); ok && to == e {
			return m | passant, p.passantSafe(from, to)
		}
		return m, p.sides[us&1^1]&target != 0 && p.leavesKingSafe(from, to)
	case target&p.occupied() != 0:
		return 0, false
	case to-from == 2*a.cells:
		if uint64(1)<<from&a.home == 0 || p.occupied()>>(from+a.cells)&1 != 0 {
			return 0, false
		}
		if p.besideEnemyPawns(us)&target != 0 {
			m |= double
		}
		return m, p.leavesKingSafe(from, to)
	}
	return m, to-from == a.cells && p.leavesKingSafe(from, to)
}
