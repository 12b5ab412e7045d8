package chess

import (
	"fmt"

	"selfplay/engine"
)

// Step is a move without its position, for action numbers.
type Step struct {
	From, To  uint8 // cells, a8 = 0 to h1 = 63; for castling those of the king
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
