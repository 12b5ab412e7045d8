package chess

// attacked reports whether a side attacks a cell. Its pieces and all pieces are
// given, so that a caller can ask what would be after a move.
func (p *Position) attacked(cell int, by uint8, pieces, occupied uint64) bool {
	cell &= 63
	if (knightReach[cell]&p.kinds[knight]|kingReach[cell]&p.kinds[king]|
		pawnReach[by&1^1][cell]&p.kinds[pawn])&pieces != 0 {
		return true
	}
	return p.swept(cell, pieces, occupied)
}

// swept is attacked by bishops, rooks and queens alone.
func (p *Position) swept(cell int, pieces, occupied uint64) bool {
	for set := p.snipers(cell) & pieces; set != 0; set &= set - 1 {
		if between[cell&63][first(set)]&occupied == 0 {
			return true
		}
	}
	return false
}

// snipers returns the pieces of both sides that would attack a cell if nothing
// stood between.
func (p *Position) snipers(cell int) uint64 {
	q := p.kinds[queen]
	return diagonals[cell&63]&(p.kinds[bishop]|q) | straights[cell&63]&(p.kinds[rook]|q)
}

// threats returns the pieces that check the king of a side, which stands on the
// cell, and the pieces of that side that are pinned to it.
func (p *Position) threats(us uint8, cell int) (checkers, pinned uint64) {
	cell &= 63
	own, them := p.sides[us&1], p.sides[us&1^1]
	checkers = (knightReach[cell]&p.kinds[knight] | pawnReach[us&1][cell]&p.kinds[pawn]) & them
	for set := p.snipers(cell) & them; set != 0; set &= set - 1 {
		switch shield := between[cell][first(set)] & (own | them); {
		case shield == 0:
			checkers |= set & -set
		case shield&(shield-1) == 0:
			pinned |= shield & own
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
	return p.swept(cell, them, p.sides[us]|them)
}

// safe reports whether a pseudo-legal move of a piece that is not the king, and
// does not take en passant, leaves the own king unattacked.
func (p *Position) safe(from, to int) bool {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.threats(us, cell)
	if pinned>>(from&63)&1 != 0 && lines[cell][from&63]>>(to&63)&1 == 0 {
		return false
	}
	return checkers == 0 || checkers&(checkers-1) == 0 && (checkers|between[cell][first(checkers)])>>(to&63)&1 != 0
}

// passantCell returns the cell that an en passant capture goes to.
func (p *Position) passantCell() (cell int, ok bool) {
	file, ok := p.EnPassant()
	return advances[p.turn()].passantRank | file, ok
}

// passantSafe reports whether taking en passant leaves the own king unattacked.
// Two pawns leave one rank, so it is tested on the board as it would be.
func (p *Position) passantSafe(from, to int) bool {
	us := p.turn()
	victim := uint64(1) << ((to - advances[us].cells) & 63)
	after := p.occupied() ^ victim | 1<<(to&63)
	after &^= 1 << (from & 63)
	return !p.attacked(p.kingCell(us), us^1, p.sides[us^1]^victim, after)
}

// passantTakers returns the pawns of the side to move that could take en passant
// on a cell if their king did not mind.
func (p *Position) passantTakers(cell int) uint64 {
	us := p.turn()
	return pawnReach[us^1][cell&63] & p.kinds[pawn] & p.sides[us]
}

// passantLegal reports whether a pawn of the side to move may take en passant on a
// cell.
func (p *Position) passantLegal(cell int) bool {
	for set := p.passantTakers(cell); set != 0; set &= set - 1 {
		if p.passantSafe(first(set), cell) {
			return true
		}
	}
	return false
}
