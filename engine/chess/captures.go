package chess

import (
	"math/bits"

	"selfplay/engine"
)

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
	occupied, free := own|them, own&^pinned
	dst = p.pawnTakes(dst, us, p.kinds[pawn]&free)
	for set := p.kinds[knight] & free; set != 0; set &= set - 1 {
		from := first(set)
		if hits := knightReach[from] & them; hits != 0 {
			dst = p.spread(dst, leaves(colourOf(us)|knight, squareOf(from)), hits)
		}
	}
	for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & free; set != 0; set &= set - 1 {
		from := first(set)
		sq := squareOf(from)
		piece := p.board[sq]
		base := leaves(piece, sq)
		for left := sweep[piece&kindBits][from] & them; left != 0; left &= left - 1 {
			cell := first(left)
			if between[from][cell]&occupied == 0 {
				to := squareOf(cell)
				dst = append(dst, base|reaches(p.board[to], to))
			}
		}
	}
	if pinned != 0 {
		dst = p.pinnedTakes(dst, us, cell, pinned)
	}
	if p.state&passantBits != 0 {
		dst = p.passantMoves(dst)
	}
	if kingReach[cell]&them != 0 {
		dst = p.kingTakes(dst, us, cell)
	}
	return dst
}

// pawnTakes lists what pawns that are not pinned take, and where they promote.
func (p *Position) pawnTakes(dst []engine.Move, us uint8, pawns uint64) []engine.Move {
	a := &advances[us&1]
	if pawns&advances[us&1^1].home != 0 {
		return p.pawnMoves(dst, us, pawns, p.sides[us&1^1]|lastRanks)
	}
	them := p.sides[us&1^1]
	base := leaves(colourOf(us)|pawn, 0)
	left := bits.RotateLeft64(pawns&^fileA, a.cells-1) & them
	right := bits.RotateLeft64(pawns&^fileH, a.cells+1) & them
	if left != 0 {
		dst = p.gatherTakes(dst, base, left, a.step+west)
	}
	if right != 0 {
		dst = p.gatherTakes(dst, base, right, a.step+east)
	}
	return dst
}

// pinnedTakes lists what pinned pieces take along their pins.
func (p *Position) pinnedTakes(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	them := p.sides[us&1^1]
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][first(set)]&(them|lastRanks))
	}
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := first(set)
		dst = p.aimedMoves(dst, from, lines[cell&63][from]&them)
	}
	return dst
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
