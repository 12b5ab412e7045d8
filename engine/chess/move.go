package chess

import (
	"fmt"
	"strings"

	"selfplay/engine"
)

// A move says all that playing it and taking it back need to know, so that neither
// reads the board: squares of 7 bits, piece codes of 5, what is special about it,
// and what a pawn becomes. The piece lies above the square it goes to, which makes
// the two together the number of a hash key.
//
//	0  from      14  piece     24  what
//	7  to        19  taken     27  promotion
const (
	toShift    = 7
	pieceShift = 14
	takenShift = 19
	whatShift  = 24
	kindShift  = 27

	// Moves without any of these are played in one straight line: a piece goes to
	// another square, with or without a capture.
	double    engine.Move = 1 << whatShift // pawn, two squares, to the side of an enemy pawn
	castle    engine.Move = 2 << whatShift // the king's half
	passant   engine.Move = 3 << whatShift // takes en passant
	promotion engine.Move = 4 << whatShift

	whatBits engine.Move = 7 << whatShift
)

// leaves begins the moves of a piece from a square.
func leaves(piece, from uint8) engine.Move {
	return engine.Move(piece)<<pieceShift | engine.Move(from)
}

// reaches is the part of a move that names where it goes and what stands there.
func reaches(taken, to uint8) engine.Move {
	return engine.Move(taken)<<takenShift | engine.Move(to)<<toShift
}

// newMove returns the move of what stands on a square to another.
func (p *Position) newMove(from, to uint8) engine.Move {
	return leaves(p.board[from], from) | reaches(p.board[to], to)
}

func fromOf(m engine.Move) uint8  { return uint8(m & 127) }
func toOf(m engine.Move) uint8    { return uint8(m >> toShift & 127) }
func pieceOf(m engine.Move) uint8 { return uint8(m >> pieceShift & 31) }
func takenOf(m engine.Move) uint8 { return uint8(m >> takenShift & 31) }

// promoted returns the kind a pawn becomes, 0 if it stays a pawn.
func promoted(m engine.Move) uint8 { return uint8(m>>kindShift) & kindBits }

// letters are the pieces by kind.
const letters = "?pnbrqk"

// FormatMove writes a legal move as UCI does: e2e4, e1g1, e7e8q.
func (p *Position) FormatMove(m engine.Move) string {
	text := cellName(cellOf(fromOf(m))) + cellName(cellOf(toOf(m)))
	if kind := promoted(m); kind != 0 {
		text += letters[kind : kind+1]
	}
	return text
}

// ParseMove reads a legal move as UCI writes it.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	if len(text) != 4 && len(text) != 5 {
		return 0, fmt.Errorf("parse move %q: want two squares and perhaps a piece", text)
	}
	from, errFrom := parseCell(text[:2])
	to, errTo := parseCell(text[2:4])
	kind := 0
	if len(text) == 5 {
		kind = strings.IndexByte(letters, text[4])
	}
	if errFrom == nil && errTo == nil && kind >= 0 && (len(text) == 4 || kind > 0) {
		if m, ok := p.pack(Step{uint8(from), uint8(to), uint8(kind)}); ok {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: no such move is legal here", text)
}

// Step is a move taken apart, for numbering.
type Step struct {
	From, To  uint8 // cells, a8 = 0 to h1 = 63; castling is the king's move
	Promotion uint8 // 0, or what the pawn becomes: 2 knight, 3 bishop, 4 rook, 5 queen
}

// Unpack takes a move apart. It needs no position.
func Unpack(m engine.Move) Step {
	return Step{uint8(cellOf(fromOf(m))), uint8(cellOf(toOf(m))), promoted(m)}
}

// Pack is the inverse of Unpack for legal moves; a step that is no legal move here
// is an error.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if m, ok := p.pack(s); ok {
		return m, nil
	}
	return 0, packError(s)
}

func packError(s Step) error {
	if s.From > 63 || s.To > 63 {
		return fmt.Errorf("pack step: %d to %d: cells go from 0 to 63", s.From, s.To)
	}
	return fmt.Errorf("pack step: %s to %s, promotion %d: no such move is legal here",
		cellName(int(s.From)), cellName(int(s.To)), s.Promotion)
}

// pack returns the legal move of a step; false if there is none.
func (p *Position) pack(s Step) (engine.Move, bool) {
	if s.From > 63 || s.To > 63 {
		return 0, false
	}
	us := p.turn()
	from, to := int(s.From), int(s.To)
	own, target := p.sides[us], uint64(1)<<to
	m := p.newMove(squareOf(from), squareOf(to))
	kind := p.board[squareOf(from)] & kindBits
	if own>>from&1 == 0 || own&target != 0 || s.Promotion != 0 && kind != pawn {
		return 0, false
	}
	var reach uint64
	switch kind {
	case pawn:
		return p.packPawn(m, from, to, s.Promotion)
	case king:
		if kingReach[from]&target != 0 {
			return m, !p.attacked(to, us^1, p.sides[us^1], p.occupied()&^(1<<from))
		}
		m |= castle
		return m, m == castles[us][0].move && p.canCastle(us, 0) || m == castles[us][1].move && p.canCastle(us, 1)
	case knight:
		reach = knightReach[from]
	case bishop:
		reach = diagonals[from]
	case rook:
		reach = straights[from]
	case queen:
		reach = diagonals[from] | straights[from]
	}
	return m, reach&target != 0 && between[from][to]&p.occupied() == 0 && p.safe(from, to)
}

// packPawn is pack for a pawn of the side to move on a cell to another, which no
// own piece holds.
func (p *Position) packPawn(m engine.Move, from, to int, kind uint8) (engine.Move, bool) {
	us := p.turn()
	target := uint64(1) << to
	if target&lastRanks != 0 {
		if kind < knight || kind > queen {
			return 0, false
		}
		m |= promotion | engine.Move(kind)<<kindShift
	} else if kind != 0 {
		return 0, false
	}
	a := &advances[us&1]
	switch {
	case pawnReach[us&1][from]&target != 0:
		if e, ok := p.passantCell(); ok && to == e {
			return m | passant, p.passantSafe(from, to)
		}
		return m, p.sides[us&1^1]&target != 0 && p.safe(from, to)
	case target&p.occupied() != 0:
		return 0, false
	case to-from == 2*a.cells:
		if uint64(1)<<from&a.home == 0 || p.occupied()>>(from+a.cells)&1 != 0 {
			return 0, false
		}
		if p.beside(us)&target != 0 {
			m |= double
		}
		return m, p.safe(from, to)
	}
	return m, to-from == a.cells && p.safe(from, to)
}
