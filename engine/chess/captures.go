package chess

import "selfplay/engine"

// Captures appends the legal moves that take something or promote a pawn. They
// are found as Moves finds them, with fewer cells to go to.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.threats(us, cell)
	if checkers != 0 {
		return p.capturesInCheck(dst, us, cell, checkers, pinned)
	}
	own, them := p.sides[us], p.sides[us^1]
	dst = p.pawnMoves(dst, us, p.kinds[pawn]&own&^pinned, them|lastRanks)
	dst = p.knightMoves(dst, us, p.kinds[knight]&own&^pinned, them)
	for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		dst = p.aimedMoves(dst, first(set), them)
	}
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][first(set)]&(them|lastRanks))
	}
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := first(set)
		dst = p.aimedMoves(dst, from, lines[cell&63][from]&them)
	}
	if p.state&passantBits != 0 {
		dst = p.passantMoves(dst)
	}
	return p.kingTakes(dst, us, cell)
}

// capturesInCheck picks them out of the evasions, which are few.
func (p *Position) capturesInCheck(dst []engine.Move, us uint8, cell int, checkers, pinned uint64) []engine.Move {
	start := len(dst)
	dst = p.evasions(dst, us, cell, checkers, pinned)
	keep := start
	for _, m := range dst[start:] {
		if takenOf(m) != empty || m&whatBits >= passant {
			dst[keep] = m
			keep++
		}
	}
	return dst[:keep]
}

// kingTakes lists what the king may take.
func (p *Position) kingTakes(dst []engine.Move, us uint8, cell int) []engine.Move {
	own, them := p.sides[us&1], p.sides[us&1^1]
	set := kingReach[cell&63] & them
	occupied := (own | them) &^ (1 << (cell & 63))
	for left := set; left != 0; left &= left - 1 {
		if p.attacked(first(left), us^1, them, occupied) {
			set ^= left & -left
		}
	}
	return p.spread(dst, leaves(colourOf(us)|king, squareOf(cell)), set)
}

// Gain returns the value of what a move takes and of what a pawn becomes, less a
// little for the piece that does it, so that of two captures of one kind the
// cheaper piece takes first.
func (p *Position) Gain(m engine.Move) int {
	taken, kind := takenOf(m)&kindBits, pieceOf(m)&kindBits
	switch m & whatBits {
	case passant:
		taken = pawn
	case promotion:
		return values[taken] + values[promoted(m)] - values[pawn]
	}
	if taken == empty {
		return 0
	}
	return values[taken] - int(kind)
}
