package chess

import "selfplay/engine"

// attacked reports whether side by attacks a cell, given by's pieces and all occupied
// cells. Callers pass modified sets to test the board after a move.
func (p *Position) attacked(cell int, by uint8, pieces, occupied uint64) bool {
	cell &= 63
	if (knightReach[cell]&p.kinds[knight]|kingReach[cell]&p.kinds[king]|
		pawnReach[by&1^1][cell]&p.kinds[pawn])&pieces != 0 {
		return true
	}
	return p.attackedBySlider(cell, pieces, occupied)
}

// attackedBySlider is attacked for bishops, rooks and queens only.
func (p *Position) attackedBySlider(cell int, pieces, occupied uint64) bool {
	for set := p.snipers(cell) & pieces; set != 0; set &= set - 1 {
		if between[cell&63][firstCell(set)]&occupied == 0 {
			return true
		}
	}
	return false
}

// snipers returns the bishops, rooks and queens of both sides that would attack a cell
// on an otherwise empty board.
func (p *Position) snipers(cell int) uint64 {
	q := p.kinds[queen]
	return diagonals[cell&63]&(p.kinds[bishop]|q) | straights[cell&63]&(p.kinds[rook]|q)
}

// checkersAndPins returns the pieces that give check to the king of side us on cell,
// and the pieces of us that are pinned to it.
func (p *Position) checkersAndPins(us uint8, cell int) (checkers, pinned uint64) {
	cell &= 63
	own, them := p.sides[us&1], p.sides[us&1^1]
	checkers = (knightReach[cell]&p.kinds[knight] | pawnReach[us&1][cell]&p.kinds[pawn]) & them
	for set := p.snipers(cell) & them; set != 0; set &= set - 1 {
		switch blockers := between[cell][firstCell(set)] & (own | them); {
		case blockers == 0:
			checkers |= set & -set
		case blockers&(blockers-1) == 0:
			pinned |= blockers & own
		}
	}
	return checkers, pinned
}

// Check reports whether the king of the side to move is attacked.
func (p *Position) Check() bool {
	us := p.turn()
	cell, them := p.kingCell(us), p.sides[us^1]
	if (knightReach[cell]&p.kinds[knight]|pawnReach[us][cell]&p.kinds[pawn])&them != 0 {
		return true
	}
	return p.attackedBySlider(cell, them, p.sides[us]|them)
}

// leavesKingSafe reports whether a pseudo-legal move is legal. The piece must not be
// the king, and the move must not be en passant.
func (p *Position) leavesKingSafe(from, to int) bool {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if pinned>>(from&63)&1 != 0 && lines[cell][from&63]>>(to&63)&1 == 0 {
		return false
	}
	return checkers == 0 || checkers&(checkers-1) == 0 && (checkers|between[cell][firstCell(checkers)])>>(to&63)&1 != 0
}

// passantCell returns the target cell of a legal en passant capture.
func (p *Position) passantCell() (cell int, ok bool) {
	file, ok := p.EnPassant()
	return advances[p.turn()].passantRank | file, ok
}

// passantTakers returns the pawns of the side to move that attack the en passant cell,
// pinned ones included.
func (p *Position) passantTakers(cell int) uint64 {
	us := p.turn()
	return pawnReach[us^1][cell&63] & p.kinds[pawn] & p.sides[us]
}

// passantSafe reports whether an en passant capture leaves the own king safe. Two
// pawns leave one rank, so pins do not decide it: the resulting board is tested.
func (p *Position) passantSafe(from, to int) bool {
	us := p.turn()
	victim := uint64(1) << ((to - advances[us].cells) & 63)
	after := p.occupied() ^ victim | 1<<(to&63)
	after &^= 1 << (from & 63)
	return !p.attacked(p.kingCell(us), us^1, p.sides[us^1]^victim, after)
}

// passantLegal reports whether some pawn may capture en passant on a cell.
func (p *Position) passantLegal(cell int) bool {
	for set := p.passantTakers(cell); set != 0; set &= set - 1 {
		if p.passantSafe(firstCell(set), cell) {
			return true
		}
	}
	return false
}

// allowPassant records the right to capture en passant on a cell if such a capture is
// legal.
func (p *Position) allowPassant(cell int) {
	if p.passantTakers(cell) != 0 && p.passantLegal(cell) {
		p.state |= uint32(8|cell&7) << passantShift
		p.hash ^= enPassantKeys[8|cell&7]
	}
}

// passantMoves lists the en passant captures.
func (p *Position) passantMoves(dst []engine.Move) []engine.Move {
	cell, _ := p.passantCell()
	for set := p.passantTakers(cell); set != 0; set &= set - 1 {
		if from := firstCell(set); p.passantSafe(from, cell) {
			dst = append(dst, p.newMove(squareOf(from), squareOf(cell))|passant)
		}
	}
	return dst
}
