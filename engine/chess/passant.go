package chess

import "selfplay/engine"

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
